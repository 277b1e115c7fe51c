// Connected components of the unvisited vertices: candidates for the end of the path.
#pragma once
#include "../abi.h"

// Data of a vertex: the time when it was reached, from 1, or 0; the earliest vertex reached from below it; the sum of
// the colours below it, the number of squares there, and whether one leads to the root; its parent; the number of
// components attached to it.
struct Note {
    using Item = i64;
    i64 reached, low, weight, size, home, parent, cuts;
};

// One depth-first search from the last square of a path over the remaining edges.
//
// A square v cuts off the subtree of its child w if nothing there reaches above v (Tarjan 1972): an island. The tour
// passes v once, so it ends in the island: v has no other island, some square of this one leads back to the root, and
// its colours alternate from w on.
struct Islands {
    // The moves, which of them are possible (not 0), the steps of the path (-1: not on it), the colours (1, -1 or 0).
    Array<const i64> offsets, targets;
    Array<i64> edge, position;
    Array<const i64> sign;
    Array<Note> memory;
    Array<i64> following;  // next edge of each vertex
    i64 root, last;
    i64 reached;  // number of reached vertices

    void reach(i64 v, i64 from) {
        reached++;
        memory[v] = {reached, reached, sign[v], 1, 0, from, 0};
        following[v] = offsets[v];
    }

    // Follow an edge from v to w. Returns the vertex to continue at: w, if it is new.
    i64 look_along(i64 v, i64 w) {
        Note &note = memory[v];
        if (w == root) note.home = 1;
        if (w == last) note.low = 1;
        if (position[w] >= 0) return v;
        if (memory[w].reached == 0) {
            reach(w, v);
            return w;
        }
        if (memory[w].reached < note.low) note.low = memory[w].reached;
        return v;
    }

    // Whether a tour can pass `up` and end in the component that starts with v. may_start_anywhere: the tour is open,
    // and the root is not a square.
    bool may_end_in(i64 v, i64 up, bool may_start_anywhere) {
        const Note &island = memory[v];
        if (++memory[up].cuts > 1 || !island.home) return false;
        const i64 odd = island.size % 2;
        i64 colour = sign[v];
        // If the start is still free, so is its colour.
        if (up == root && may_start_anywhere && island.weight == -colour * odd) colour = -colour;
        if (colour == 0) return true;
        // A closed tour returns from the colour opposite to its start.
        return island.weight == colour * odd && (may_start_anywhere || colour * (2 * odd - 1) == -sign[root]);
    }

    // The subtree of v, reached from `up`, is complete.
    void leave(i64 v, i64 up) {
        const Note &below = memory[v];
        Note &above = memory[up];
        if (below.low < above.low) above.low = below.low;
        above.weight += below.weight;
        above.size += below.size;
        above.home |= below.home;
    }

    // Examine all reachable vertices. Returns whether a tour can end in each component, if requested.
    bool explore(bool asks_for_islands, bool may_start_anywhere) {
        for (Note &note : memory) note.reached = 0;
        reach(last, -1);
        for (i64 v = last; v >= 0;) {
            const i64 k = following[v];
            if (k < offsets[v + 1]) {
                following[v] = k + 1;
                if (edge[k] != 0) v = look_along(v, targets[k]);
                continue;
            }
            const i64 up = memory[v].parent;
            if (up >= 0) {
                const bool is_island = memory[v].low >= memory[up].reached;
                if (is_island && asks_for_islands && !may_end_in(v, up, may_start_anywhere)) return false;
                leave(v, up);
            }
            v = up;
        }
        return true;
    }
};
