"""Random tours in large numbers, from a named distribution; the same seed gives the same tours."""
