"""Random numbers for kernels: two small generators that give the same numbers interpreted and compiled."""


def next_random(x):
    """Xorshift on 32 bits (Marsaglia 2003): the state after x, which is also the random number, 1 to 2**32 - 1."""
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    return x


def next_state(x):
    """Multiply with carry (Marsaglia): the state after x, 1 to 698769069 * 2**32 - 2; `bits` makes the number of it."""
    return 698769069 * (x & 0xFFFFFFFF) + (x >> 32)


def bits(x):
    """The random number of 32 bits of a state."""
    return (x ^ (x >> 32)) & 0xFFFFFFFF


def first_random(seed: int) -> int:
    """A starting state for `next_random` from any whole number: well mixed, and never 0. For the interpreter only."""
    x = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF
    x ^= x >> 31
    x = (x * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x ^= x >> 29
    return (x & 0xFFFFFFFF) or 1
