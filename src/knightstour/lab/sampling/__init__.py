"""Random tours in large numbers, each drawn from a named distribution; the same seed gives the same tours."""
