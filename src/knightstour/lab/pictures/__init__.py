"""Pictures for special uses: a path as a ribbon, and sheets of strokes for pen plotters."""
