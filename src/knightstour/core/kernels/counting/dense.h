// Encoding "matchings": states of tours that may leave squares, in an array without keys. dense.py says how.
#pragma once
#include "../bits.h"

constexpr i64 MAX_PAIRS = 9;
// How many ways there are to match 2k ends.
constexpr i64 MATCHINGS[MAX_PAIRS + 1] = {1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425};

// What becomes of a matching: an end goes to another place, two ends are added as mates, two ends are joined.
enum Kind : i64 { MOVED, ADDED, JOINED };

// A matching of 2k ends, numbered from 0: the mate of each.
struct Matching {
    i64 mate[2 * MAX_PAIRS];
};

// The number of a matching: of the mates that the first unmatched end could have, the first comes first.
inline i64 rank_of(const Matching &matching, i64 ends) {
    u64 used = 0;
    i64 rank = 0, pairs = ends / 2;
    for (i64 i = 0; i < ends; i++) {
        if (used & bit_of(i)) continue;
        const i64 mate = matching.mate[i];
        const u64 between = (bit_of(mate) - 1) & ~(bit_of(i + 1) - 1) & ~used;
        used |= bit_of(mate);
        rank += count_of(between) * MATCHINGS[--pairs];
    }
    return rank;
}

inline Matching matching_of(i64 rank, i64 ends) {
    Matching matching{};
    u64 used = 0;
    i64 pairs = ends / 2;
    for (i64 i = 0; i < ends; i++) {
        if (used & bit_of(i)) continue;
        u64 open = (bit_of(ends) - 1) & ~(bit_of(i + 1) - 1) & ~used;
        for (i64 skip = rank / MATCHINGS[--pairs]; skip; skip--) open &= open - 1;
        rank %= MATCHINGS[pairs];
        const i64 mate = lowest(open);
        used |= bit_of(mate);
        matching.mate[i] = mate;
        matching.mate[mate] = i;
    }
    return matching;
}

// Where the classes are. A class is two sets of slots: those of ends, and those of squares that are done.
struct Layout {
    Array<const i64> base;     // by the set of ends: where its first class is
    Array<const i64> code;     // by a set of slots: the sum of the powers of 3
    Array<const u8> squeezed;  // by 256 * kept + set: the bits of a byte that are kept, side by side
    i64 slots;

    i64 place(u64 ends, u64 done) const {
        const u64 others = ~ends & (bit_of(slots) - 1);
        u64 packed = 0;
        i64 shift = 0;
        for (i64 from = 0; from < slots; from += 8) {
            const u64 kept = others >> from & 255;
            packed |= u64(squeezed[i64(kept << 8 | (done >> from & 255))]) << shift;
            shift += count_of(kept);
        }
        return base[i64(ends)] + i64(packed) * MATCHINGS[count_of(ends) / 2];
    }
    // The number of a class among all, by its slots as digits of base 3.
    i64 class_of(u64 ends, u64 done) const { return 2 * code[i64(ends)] + code[i64(done)]; }
};

// Where each matching goes, by kind, pairs before (for ADDED after), and the places of two ends.
struct Changes {
    Array<const i32> targets;
    Array<const i64> first;  // (kind, pairs, place, place); -1 where there is none

    Array<const i32> of(i64 kind, i64 pairs, i64 i, i64 j) const {
        const i64 at = first[((kind * (MAX_PAIRS + 1) + pairs) * 2 * MAX_PAIRS + i) * 2 * MAX_PAIRS + j];
        return targets.part(at, MATCHINGS[kind == ADDED ? pairs - 1 : pairs]);
    }
};
