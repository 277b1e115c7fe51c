"""Code that tests share: independent implementations, random problems, substitutes, servers and files."""
