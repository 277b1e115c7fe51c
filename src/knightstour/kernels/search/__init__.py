"""Kernels that look for one tour: each method's inner loop."""
