// Links of a cover: before[s] and after[s] are the two neighbours of s in its loop, without direction. -1 is a missing
// link.
#pragma once
#include "../abi.h"

namespace {

struct Links {
    Array<i32> before, after;

    // Create a loop of two squares.
    void put_pair(i64 a, i64 b) const {
        before[a] = after[a] = i32(b);
        before[b] = after[b] = i32(a);
    }

    // Create a loop of four squares.
    void put_four(i64 a, i64 b, i64 p, i64 q) const {
        follow(a, b);
        follow(b, p);
        follow(p, q);
        follow(q, a);
    }

    // Make b the successor of a.
    void follow(i64 a, i64 b) const {
        after[a] = i32(b);
        before[b] = i32(a);
    }

    // Replace one link of s; `before` first, since after[joker] may be a given start.
    void relink(i64 s, i64 old, i64 now) const { (before[s] == old ? before[s] : after[s]) = i32(now); }

    // Remove one link of s.
    void unlink(i64 s, i64 old) const { (after[s] == old ? after[s] : before[s]) = -1; }

    // Add a link of s in an empty slot.
    void link(i64 s, i64 now) const { (after[s] < 0 ? after[s] : before[s]) = i32(now); }

    // The next square in a walk that reached s from another one.
    i64 next(i64 s, i64 came) const {
        const i64 going = after[s];
        return going == came ? before[s] : going;
    }

    // Change the label of the whole loop of a square; return its length.
    i64 relabel(const Array<i32> &label, i64 first, i64 its) const {
        i64 s = first, came = before[first], length = 0;
        do {
            label[s] = i32(its);
            length++;
            const i64 going = next(s, came);
            came = s;
            s = going;
        } while (s != first);
        return length;
    }
};

// The moves of a square in cyclic order, from one of them on.
struct Moves {
    Array<const i32> targets;
    i64 turn;

    i64 operator[](i64 i) const {
        const i64 k = i + turn;
        return targets[k < targets.size ? k : k - targets.size];
    }
};

}  // namespace
