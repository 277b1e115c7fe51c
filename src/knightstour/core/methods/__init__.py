"""The table of all methods, the functions that ask them, and the comparison of their answers and times."""
