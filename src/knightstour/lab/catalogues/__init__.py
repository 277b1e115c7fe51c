"""Lists of tours, with names or numbers: complete lists, extremes and historical tours. Each is checked when read."""
