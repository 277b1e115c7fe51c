"""The lab: what specialists ask of tours, such as counts, statistics, samples, sequences, certificates and puzzles.

It builds on the core, and adds rows to the tables of the core.
"""
