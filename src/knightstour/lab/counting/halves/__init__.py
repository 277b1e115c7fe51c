"""Counts by halves: a board is cut in two, each half is counted class by class, and the halves are joined."""
