"""Pictures for pen plotters: sheets of strokes, and the files that plotters read."""
