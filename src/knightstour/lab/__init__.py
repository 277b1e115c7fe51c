"""The lab: counts, statistics, samples, sequences, certificates and puzzles. It adds rows to the tables of the core."""
