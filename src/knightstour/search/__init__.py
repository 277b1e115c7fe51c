"""Methods that search: each family of algorithms in a file of its own."""
