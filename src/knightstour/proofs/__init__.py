"""Proofs that there is no tour: theorems, arguments that one can check by hand, and facts of a board."""
