"""Counts, statistics, samples, sequences, certificates and puzzles. The lab adds rows to the tables of the core."""
