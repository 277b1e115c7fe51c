"""The table of methods, the questions asked of it, and how methods compare."""
