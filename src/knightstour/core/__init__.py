"""The core: boards, tours, problems, the methods that solve them, proofs, files and pictures.

It imports nothing from the other rings, and works without them.
"""
