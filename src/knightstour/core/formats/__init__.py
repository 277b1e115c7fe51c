"""Tours and boards as text and bytes, one family of formats per file."""
