"""The census of a board: how many of its tours have which number of turns, crossings, moves of a slope, ..."""
