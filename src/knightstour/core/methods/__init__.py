"""Table of all methods, the functions that run them, and their comparison."""
