"""The interfaces: the command line and the page, which read a problem, call the library and show the result."""
