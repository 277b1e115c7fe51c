"""Searches on bare arrays: plain functions of numbers and sequences that know no class of ours.

A kernel runs two ways from one source: interpreted on lists, at once; and compiled by numba on arrays, when the work
turns out to be long (see engine.py). Both give the same answer for the same seed.
"""
