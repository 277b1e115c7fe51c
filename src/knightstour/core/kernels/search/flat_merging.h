// The state of the merging of large flat boards, and links by directions. See core/search/flat_merging.py for the
// arrays.
#pragma once
#include "../bits.h"
#include "../random.h"

namespace {

// A bit of `ways`, in addition to directions: an end of an open tour.
constexpr i64 END = 256;
constexpr i64 DIRECTIONS = 8;
// No direction.
constexpr i64 NOWHERE = 8;

struct Counters {
    using Item = i64;
    i64 nodes, random, phase, cursor, rows, cols, single, start, end, paired, joined, head, tail, last, largest, at,
        back, walked, first, small, patience;
};

struct State {
    Array<Counters> counters;
    Array<const i64> steps, blocks;
    Array<const u8> is_square;
    Array<u16> ways;
    Array<i32> label, queue, via, reached;
    Array<const i64> alone;
    Array<double> place;
};

// Two squares, -1 for a missing one.
struct Two {
    i64 squares[2];
    const i64 *begin() const { return squares; }
    const i64 *end() const { return squares + 2; }
};

// The board with the links of its loops.
struct Field : State {
    Counters &now;

    explicit Field(const State &state) : State(state), now(counters[0]) {}

    i64 draw() { return now.random = next_random(now.random); }

    // ------------------------------------------------------------ directions

    static i64 first_of(i64 directions) { return directions ? lowest(u64(directions)) : NOWHERE; }
    static i64 without_first(i64 directions) { return directions & (directions - 1); }
    static i64 opposite(i64 d) { return DIRECTIONS - 1 - d; }

    // The direction of the move from a to b, or -1.
    i64 direction(i64 a, i64 b) const {
        for (i64 d = 0; d < DIRECTIONS; d++)
            if (a + steps[d] == b) return d;
        return -1;
    }

    bool is_move(i64 a, i64 b) const { return direction(a, b) >= 0; }

    // Directions of the links of a square: one in a loop of two squares and at an end, else two.
    i64 links(i64 s) const { return ways[s] & 255; }

    // The other square of a loop of two squares.
    i64 mate(i64 s) const { return s + steps[first_of(links(s))]; }

    // The squares that links lead to.
    Two linked(i64 s) const {
        const i64 one = links(s), other = without_first(one);
        return {{one ? s + steps[first_of(one)] : -1, other ? s + steps[first_of(other)] : -1}};
    }

    // ------------------------------------------------------------ links

    // Create a loop of two squares; b is in direction d of a.
    void put_pair(i64 a, i64 b, i64 d) {
        ways[a] = u16(1 << d);
        ways[b] = u16(1 << opposite(d));
        label[a] = label[b] = i32(a < b ? a : b);
    }

    // Remove one link of a; a loop of two squares has two links of the same direction.
    void take_link(i64 a, i64 d) {
        if (ways[a] != 1 << d) ways[a] ^= u16(1 << d);
    }

    // Remove the link between two squares.
    void part(i64 a, i64 b) {
        const i64 d = direction(a, b);
        take_link(a, d);
        take_link(b, opposite(d));
    }

    // Link a to the square in direction d.
    void link(i64 a, i64 d) {
        ways[a] |= u16(1 << d);
        ways[a + steps[d]] |= u16(1 << opposite(d));
    }

    void put_link(i64 a, i64 b) { link(a, direction(a, b)); }

    // Replace links a-b and c-d by b-c and d-a.
    void exchange(i64 a, i64 b, i64 c, i64 d) {
        part(a, b);
        part(c, d);
        put_link(b, c);
        put_link(d, a);
    }

    // Replace links a-b, c-d and e-f by b-c, d-e and f-a.
    void exchange_three(i64 a, i64 b, i64 c, i64 d, i64 e, i64 f) {
        part(a, b);
        part(c, d);
        part(e, f);
        put_link(b, c);
        put_link(d, e);
        put_link(f, a);
    }

    // ------------------------------------------------------------ walks

    // Direction of the next square in a walk that reached s from direction `back` (NOWHERE at the start); NOWHERE at an
    // end.
    i64 next_of(i64 s, i64 back) const {
        i64 its = links(s);
        if (back != NOWHERE && without_first(its))
            its ^= 1 << back;
        else if (back != NOWHERE && ways[s] & END)
            return NOWHERE;
        return first_of(its);
    }

    // Write the squares of a loop, or of the path from its end `first`. Returns their number.
    i64 walk(i64 first, const Array<i32> &squares) const {
        i64 s = first, back = NOWHERE, count = 0;
        while (count < squares.size) {
            squares[count++] = i32(s);
            const i64 d = next_of(s, back);
            if (d == NOWHERE) break;
            s += steps[d];
            back = opposite(d);
            if (s == first) break;
        }
        return count;
    }

    // The root of the tree of labels, with path compression.
    i64 root_of(i64 s) const {
        while (label[s] != s) s = label[s] = label[label[s]];
        return s;
    }
};

}  // namespace
