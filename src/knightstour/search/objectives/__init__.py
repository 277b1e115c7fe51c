"""Tours with few or many turns or crossings: improved step by step, or built of straight lines."""
