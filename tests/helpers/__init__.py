"""What tests share: second opinions, random questions, stand-ins, servers and files."""
