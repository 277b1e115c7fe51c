"""Boards, tours, questions, answers and limits, and the errors about them. Every other folder builds on these."""
