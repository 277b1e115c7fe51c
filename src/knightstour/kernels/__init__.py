"""The inner loops of searches and counts: plain functions of numbers and sequences, without classes of the project.

A kernel runs two ways from one source: interpreted on lists, at once; and compiled by numba on arrays, when the work
turns out to be long (see engine.py). Both give the same answer for the same seed.
"""
