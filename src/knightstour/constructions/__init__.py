"""Tours that are built, not searched for: any rectangle of any size, square by square in constant time."""
