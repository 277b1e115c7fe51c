"""The frontier method: all states of a board, square by square, and so the answer or a proof."""
