// Tours as the two neighbours of each square.
#pragma once
#include "../abi.h"

struct Neighbours {
    using Item = i64;
    i64 first, second;  // squares, -1 for none

    bool has(i64 square) const { return first == square || second == square; }
    bool is_end() const { return first < 0 || second < 0; }
};
using Links = Array<Neighbours>;

// Write the `squares` squares of a tour into orders, from its first square, starting at item `at`. goes_low: the first
// move leads to the lower neighbour.
template <class T>
void write_order(const Links &tour, i64 here, bool goes_low, i64 squares, const Array<T> &orders, i64 at) {
    for (i64 before = -1, step = 0; step < squares; step++) {
        orders[at + step] = T(here);
        const Neighbours &near = tour[here];
        const bool is_back = step == 0 && goes_low ? near.second < near.first : near.first == before;
        before = here;
        here = is_back ? near.second : near.first;
    }
}
