"""The core: boards, tours and questions about them, the methods that answer, proofs, files and pictures.

It imports nothing of the other rings, and works without them.
"""
