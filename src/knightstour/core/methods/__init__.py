"""Table of all methods, the functions that run them, and the comparison of their results and times."""
