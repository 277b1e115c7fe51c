"""Random numbers of the kernels."""


def next_random(x: int) -> int:
    """Xorshift on 32 bits (Marsaglia 2003): return the next state, which is also the random number, 1 to 2**32 - 1."""
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    return x


def first_random(seed: int) -> int:
    """Return a well-mixed nonzero initial state for `next_random` from any integer."""
    x = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF
    x ^= x >> 31
    x = (x * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x ^= x >> 29
    return (x & 0xFFFFFFFF) or 1
