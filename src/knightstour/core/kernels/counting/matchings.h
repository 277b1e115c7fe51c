// Perfect matchings of ends by rank: by the mate of the lowest end, then of the lowest remaining one, and so on.
#pragma once
#include "../bits.h"

namespace {

// Number of matchings of 2k ends.
constexpr int MAX_PAIRS = 9;
constexpr i64 MATCHINGS[MAX_PAIRS + 1] = {1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425};

// The lowest slot of a set.
inline int slot_of(u32 slots) { return __builtin_ctz(slots); }

// The end with x ends below it.
inline int end_number(u32 ends, i64 x) {
    for (; x > 0; x--) ends &= ends - 1;
    return slot_of(ends);
}

template <class MateOf>
inline i64 rank_by(u32 ends, int pairs, MateOf mate_of) {
    i64 rank = 0;
    for (int k = pairs - 1; k > 0; k--) {
        const u32 mate = 1u << mate_of(slot_of(ends));
        ends &= ends - 1;
        rank += __builtin_popcount(ends & (mate - 1)) * MATCHINGS[k];
        ends ^= mate;
    }
    return rank;
}

// Call use(end, mate) for the pairs of the matching of a rank.
template <class Use>
inline void each_pair(i64 rank, u32 ends, int pairs, Use use) {
    for (int k = pairs - 1; k >= 0; k--) {
        const int a = slot_of(ends);
        ends &= ends - 1;
        const int b = end_number(ends, rank / MATCHINGS[k]);
        rank %= MATCHINGS[k];
        ends ^= 1u << b;
        use(a, b);
    }
}

}  // namespace
