"""Random tours in bulk: each law is named, and the same seed gives the same tours."""
