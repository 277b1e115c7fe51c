"""Random tours in large numbers, each drawn by a named law; the same seed gives the same tours."""
