"""What tests share: second opinions, random questions, substitutes, servers and files."""
