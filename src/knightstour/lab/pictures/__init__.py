"""Pictures for special uses: a path as a woven band, and sheets of strokes for pen plotters."""
