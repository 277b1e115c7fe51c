"""Tours and boards to text and bytes, and back, one file a family of formats."""
