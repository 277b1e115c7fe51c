"""The interfaces: the command line and the page, which read a question, ask the library and show the answer."""
