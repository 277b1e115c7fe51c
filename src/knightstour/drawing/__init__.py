"""Pictures of tours and boards: SVG, PNG, animations, text for terminals, plots. Each file can be read alone."""
