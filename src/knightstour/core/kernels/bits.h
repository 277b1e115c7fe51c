// Words of 64 bits as sets of small numbers.
#pragma once
#include "abi.h"

// The set with one number, 0 to 63.
constexpr u64 bit_of(i64 number) { return u64(1) << (number & 63); }

inline i64 count_of(u64 set) { return __builtin_popcountll(set); }

// The minimum of a set, which must not be empty.
inline i64 lowest(u64 set) { return __builtin_ctzll(set); }

// The maximum of a set, which must not be empty.
inline i64 highest(u64 set) { return 63 - __builtin_clzll(set); }

// Calls use(number) for each number of a set, in rising order.
template <class Use>
inline void each_of(u64 set, Use use) {
    for (; set; set &= set - 1) use(lowest(set));
}
