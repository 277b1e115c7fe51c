"""Pictures of tours and boards: SVG, PNG, animations, plots, and text for terminals."""
