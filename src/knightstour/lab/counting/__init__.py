"""How many tours a board has, exactly or estimated; the number of a tour, and the tour of a number."""
