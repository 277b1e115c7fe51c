// A closed line through all vertices, for annealing and genetic segments: its gaps, and its turns.
//
// order contains all vertices and place is its inverse. Two consecutive vertices without a move between them form a
// gap. The first `count` items of loose are the vertices next to a gap; spot[v] is the index of v there, or -1.
#pragma once
#include "../abi.h"

namespace {

struct Graph {
    Array<const i64> offsets, targets;

    i64 degree(i64 v) const { return offsets[v + 1] - offsets[v]; }

    // Whether there is a move between two vertices. The search uses the vertex with fewer moves: a virtual vertex has
    // many.
    bool are_joined(i64 a, i64 b) const {
        const bool swaps = degree(a) > degree(b);
        const i64 here = swaps ? b : a, there = swaps ? a : b;
        for (i64 k = offsets[here]; k < offsets[here + 1]; k++)
            if (targets[k] == there) return true;
        return false;
    }
};

struct ClosedLine : Graph {
    Array<i64> order, place, loose, spot;
    i64 &count;

    // The places after and before one.
    i64 after(i64 i) const { return i + 1 < order.size ? i + 1 : 0; }
    i64 before(i64 i) const { return (i > 0 ? i : order.size) - 1; }
    i64 beside(i64 i, bool forward) const { return forward ? after(i) : before(i); }

    // Whether there is no move between the vertex at a place and the next one.
    bool is_gap(i64 i) const { return !are_joined(order[i], order[after(i)]); }

    // Update the list of vertices next to a gap, after the links of v have changed.
    void note_loose(i64 v) {
        const i64 i = place[v];
        const bool is_loose = is_gap(i) || is_gap(before(i));
        if (is_loose == (spot[v] >= 0)) return;
        if (is_loose) {
            spot[v] = count;
            loose[count++] = v;
            return;
        }
        const i64 last = loose[--count];
        loose[spot[v]] = last;
        spot[last] = spot[v];
        spot[v] = -1;
    }

    // Reverse the part from place i to place j, cyclically; or the rest, if that is shorter. Returns the number of
    // swaps.
    i64 reverse(i64 i, i64 j) {
        i64 length = j - i + 1;
        if (length <= 0) length += order.size;
        if (2 * length > order.size) {
            const i64 first = i;
            i = after(j);
            j = before(first);
            length = order.size - length;
        }
        for (i64 left = length / 2; left > 0; left--) {
            put(order[i], j, order[j], i);
            i = after(i);
            j = before(j);
        }
        return length / 2;
    }

    // Reverse a part so that u and v become neighbours, and so do the vertices after them on the same side. Returns the
    // number of swaps.
    i64 turn(i64 u, i64 v, bool forward) {
        const i64 p = order[beside(place[u], forward)], q = order[beside(place[v], forward)];
        const i64 swaps = forward ? reverse(place[p], place[v]) : reverse(place[v], place[p]);
        note_loose(u);
        note_loose(p);
        note_loose(v);
        note_loose(q);
        return swaps;
    }

private:
    // Put a at place i and b at place j.
    void put(i64 a, i64 i, i64 b, i64 j) {
        order[i] = a;
        place[a] = i;
        order[j] = b;
        place[b] = j;
    }
};

}  // namespace
