"""Kernels for tours in bulk: drawing, packing, filling and checking them by the million."""
