"""Proofs that there is no tour, by theorems or by arguments that a reader can check by hand; and facts of boards."""
