"""Puzzles with one solution: made, rated, explained step by step, checked, read, and laid out on sheets to print."""
