"""Pictures of tours and boards: SVG, PNG, animations, and text."""
