// The state of the merging method. See core/search/merging.py for the arrays.
#pragma once
#include "../random.h"
#include "links.h"

namespace {

enum Status : i64 { RUNNING, FOUND, EXHAUSTED };
enum Phase : i64 { COVER, ENDS, MATCH, LABEL, SWEEP, REPAIR, WRITE };
// As start and end, instead of squares.
constexpr i64 ANY = -1, NONE = -2;
// Window of the shuffle on large boards: a full shuffle nearly doubled the time for 1000x1000.
constexpr i64 WINDOW = 4096;

struct Counters {
    using Item = i64;
    i64 nodes, random, phase, cursor, count, joker, start, end, randomness, rounds, has_tour, components, searches,
        searching, head, tail, open_targets, unmatched, failed_squares, failed_targets, merged, fewest, kicks_since,
        merges, stuck, repairs, restarts, patience, focus, fresh, listed, is_first;
};

struct State {
    Array<Counters> counters;
    Array<const i32> offsets, targets;
    Array<i32> squares;
    Array<const i32> base;
    Array<i32> before, after, label, loops, queue;
    Array<i64> reached;
    Array<i32> via, tour;
};

}  // namespace
