"""Kernels for tours by the million: random walks, packing, writing and checking."""
