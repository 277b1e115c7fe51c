"""Pictures for pen plotters: sheets of strokes."""
