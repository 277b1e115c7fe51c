// Random numbers for kernels: the same two small generators as in rng.py, so a seed is portable.
#pragma once
#include "abi.h"

// Xorshift on 32 bits (Marsaglia 2003): the next state, which is also the random number, 1 to 2**32 - 1.
inline i64 next_random(i64 x) {
    x ^= (x << 13) & 0xFFFFFFFF;
    x ^= x >> 17;
    return x ^ ((x << 5) & 0xFFFFFFFF);
}

// Multiply with carry (Marsaglia): the next state, 1 to 698769069 * 2**32 - 2; `random_bits` extracts the number.
inline u64 next_state(u64 x) { return 698769069 * (x & 0xFFFFFFFF) + (x >> 32); }

// The 32-bit random number of a state of `next_state`.
inline u64 random_bits(u64 x) { return (x ^ (x >> 32)) & 0xFFFFFFFF; }
