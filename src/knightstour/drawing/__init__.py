"""Pictures of tours and boards: SVG, PNG, animations, text for terminals, plots. Each room stands alone."""
