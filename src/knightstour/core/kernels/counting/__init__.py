"""Kernels that count states and tours, or go through all of them."""
