"""Pictures as SVG: lines, numbers, notebooks, plotters and galleries."""
