"""Tours of rectangles of any size, built without a search over the board."""
