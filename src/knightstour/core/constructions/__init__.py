"""Tours that are built without a search over the board, for rectangles of any size."""
