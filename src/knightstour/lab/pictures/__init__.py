"""Pictures for special uses: a path as a knot, and sheets of strokes for pen plotters."""
