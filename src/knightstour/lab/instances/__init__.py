"""Graphs of known families for those who try solvers, each with its answer, and why that is the answer."""
