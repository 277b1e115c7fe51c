"""Tours that are known by name or by number: complete lists, extremes, and tours of history, each checked when read."""
