"""The frontier method: it makes all states of a board, and so finds a tour or proves that none exists."""
