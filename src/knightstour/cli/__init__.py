"""The command line: what is asked of it is parsed, put to the library in one call, and printed."""
