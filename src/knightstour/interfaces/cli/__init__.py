"""The command line: each command reads what was typed, calls the library once and prints the answer."""
