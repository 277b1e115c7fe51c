"""Boards, tours, problems, results and limits, and their errors. Every other folder builds on these."""
