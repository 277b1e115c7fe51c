"""Puzzles with one solution: create, rate, explain, check, read and print them."""
