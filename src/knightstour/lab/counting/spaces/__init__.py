"""All tours of a board as one object: their numbers, the tour of a number, even samples, counts of moves."""
