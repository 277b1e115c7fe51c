"""Answers with all that is needed to check them, and their checkers, which share no code with what found the answer."""
