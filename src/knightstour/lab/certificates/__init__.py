"""Certificates: answers with a proof, and independent checkers that share no code with the searches."""
