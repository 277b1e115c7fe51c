// The merging of large flat boards, last part: the remaining small loops are inserted into the large one.
//
// The squares of the large loop have positions, which rise or fall along it; other squares have -1. place[GAP] is the
// minimum difference of two positions.
#pragma once
#include "flat_merging.h"

namespace {

// Places further apart belong to no two squares in a row: it is where the walk round the loop began and ended.
constexpr double NEXT = 1.5;
// A segment to be turned round that is as short as this is short enough.
constexpr double SHORT = 500, LONG = 5000;
// The item without a square. Below this minimum difference positions are renumbered.
constexpr i64 GAP = 0;
constexpr double LEAST_GAP = 1e-4;
// Longer segments do not become loops again.
constexpr i64 MOST_SWAPPED = 200;

// Insertion of a loop: its link from inner[i] to the next (or, if is_back, the previous one), and the links c-d and e-f
// of the large loop, are replaced by b-c, d-e and f-a.
struct Exchange {
    i64 i;
    bool is_back;
    i64 c, d, e, f;
};

// The ways to fit in a loop of `size` squares: the one by which the shortest segment is turned round, and a random one
// by which a segment becomes a loop.
struct Ways {
    i64 size;
    bool is_path;
    i64 random;
    double shortest = -1;  // none
    Exchange turn = {};
    i64 swaps = 0;
    Exchange swap = {};
};

struct Fitting : Field {
    using Field::Field;

    // Arrays of this stage: the squares in small loops, and those of the loop to insert.
    const Array<i32> listed = via, inner = label;

    static double gap(double one, double other) { return one < other ? other - one : one - other; }

    bool is_large(i64 s) const { return place[s] >= 0; }

    // Whether two squares that are linked come one after the other in the walk round the large loop.
    bool are_next(i64 a, i64 b) const { return b >= 0 && gap(place[a], place[b]) <= NEXT; }

    bool is_rising(i64 a, i64 b) const { return place[b] > place[a]; }

    // The square beside square i of a loop.
    i64 beside(i64 i, bool is_back, i64 size) const { return inner[(is_back ? i + size - 1 : i + 1) % size]; }

    // ------------------------------------------------------------ places

    // Renumber the squares of the large loop with integer positions.
    //
    // Repeated insertions at one place bring positions so close that their order could be lost.
    void number_again() {
        i64 first = now.first;
        if (!is_large(first)) {
            // It has left the loop, which has no ends then.
            first = GAP + 1;
            while (!is_large(first)) first++;
        }
        const i64 count = walk(first, inner);
        for (i64 i = 0; i < count; i++) place[inner[i]] = double(i);
        place[GAP] = 1;
    }

    // Places between two others for the squares of a loop, which is entered beside square i of it, away from it.
    //
    // The square beside comes next to the place `before`, and square i next to `after`.
    void put_places(i64 size, i64 i, bool is_back, double before, double after) {
        const double least = gap(before, after) / double(size + 1);
        if (least < place[GAP]) place[GAP] = least;
        for (i64 k = 0; k < size; k++) {
            const i64 j = (is_back ? i + size - 1 - k : i + 1 + k) % size;
            place[inner[j]] = before + (after - before) * double(k + 1) / double(size + 1);
        }
    }

    // Remove the squares of a new small loop from the positions, and list them.
    //
    // If they do not fit into the list, it counts as full, which ends the search.
    void list_loop(i64 first) {
        const i64 count = walk(first, inner);
        if (now.small + count > listed.size) {
            now.small = listed.size;
            return;
        }
        for (i64 k = 0; k < count; k++) {
            place[inner[k]] = -1;
            listed[now.small++] = inner[k];
        }
    }

    // ------------------------------------------------------------ exchanges

    // Turn the segment between the two links of the large loop round, and put the small loop in beside it.
    void turn_and_fit(i64 size, const Exchange &by) {
        const i64 a = inner[by.i], b = beside(by.i, by.is_back, size);
        // The segment lies between the two links: from d to f, or from c to e.
        const bool from_d = is_rising(by.c, by.d) == is_rising(by.c, by.f);
        const i64 last = from_d ? by.f : by.e;
        i64 s = from_d ? by.d : by.c, back = direction(s, from_d ? by.c : by.d);
        const double total = place[s] + place[last];
        while (true) {
            const i64 d = next_of(s, back);
            place[s] = total - place[s];
            if (s == last) break;
            s += steps[d];
            back = opposite(d);
        }
        // b is linked to c and a to f, each of which is at an end of the segment or beside it.
        put_places(size, by.i, by.is_back, place[by.c], place[by.f]);
        exchange_three(a, b, by.c, by.d, by.e, by.f);
    }

    // The same where the segment from d to e closes to a loop, whose squares are listed.
    void swap_in(i64 size, const Exchange &by) {
        const i64 a = inner[by.i], b = beside(by.i, by.is_back, size);
        put_places(size, by.i, by.is_back, place[by.c], place[by.f]);
        exchange_three(a, b, by.c, by.d, by.e, by.f);
        list_loop(by.d);
    }

    // Join the loop of a and b to the small one of c, if that is another one and has a fitting link.
    bool join_small(i64 size, i64 a, i64 b, i64 c) {
        for (const i32 s : inner.part(0, size))
            if (s == c) return false;
        for (const i64 d : linked(c)) {
            if (d < 0 || !is_move(d, a)) continue;
            exchange(a, b, c, d);
            return true;
        }
        return false;
    }

    // Make a short segment of the large loop near a square a small loop, which leaves more ways to fit in others.
    //
    // Links c-d and e-f give way to c-f and d-e.
    void split_near(i64 c, i64 x) {
        for (i64 left = 1 + x % 3; left > 0; left--) {
            x = next_random(x);
            const i64 s = c + steps[(x >> 8) & 7];
            if (ways[s]) c = s;
        }
        if (!is_large(c)) return;
        for (const i64 d : linked(c)) {
            if (!are_next(c, d)) continue;
            x = next_random(x);
            for (i64 k = 0; k < DIRECTIONS; k++) {
                const i64 e = d + steps[((x >> 8) + k) & 7];
                if (!ways[e] || e == c || !is_large(e) || gap(place[e], place[d]) > double(MOST_SWAPPED)) continue;
                if (split(c, d, e)) return;
            }
        }
    }

    // The same for given squares c, d and e; false if no f fits.
    bool split(i64 c, i64 d, i64 e) {
        for (const i64 f : linked(e)) {
            if (!are_next(e, f) || f == d || f == c || !is_move(c, f)) continue;
            if (is_rising(c, d) != is_rising(e, f) || is_rising(c, d) != is_rising(d, e)) continue;
            exchange(c, d, e, f);
            list_loop(d);
            return true;
        }
        return false;
    }

    // ------------------------------------------------------------ one loop

    // Note the exchanges of a link a-b of a loop for c-d and another link of the large one.
    void look_at(Ways &found, i64 a, Exchange by) {
        for (i64 h = 0; h < DIRECTIONS; h++) {
            by.e = by.d + steps[h];
            if (!ways[by.e] || !is_large(by.e) || by.e == by.c) continue;
            for (const i64 f : linked(by.e)) {
                by.f = f;
                if (!are_next(by.e, f) || f == by.d || f == by.c || !is_move(f, a)) continue;
                const double length = gap(place[by.d], place[f]);
                if (is_rising(by.c, by.d) == is_rising(f, by.e)) {
                    if (found.shortest >= 0 && length >= found.shortest) continue;
                    found.shortest = length;
                    found.turn = by;
                } else if (is_rising(by.c, by.d) == is_rising(by.d, by.e) && length < double(MOST_SWAPPED)) {
                    found.random = next_random(found.random);
                    if (found.random % ++found.swaps == 0) found.swap = by;
                }
            }
        }
    }

    // Join a loop to another at its link from square i of it to the one beside; false if it was only noted what might be
    // done.
    bool join_at(Ways &found, i64 i, bool is_back) {
        const i64 size = found.size, a = inner[i], b = beside(i, is_back, size);
        if (found.is_path && i == (is_back ? 0 : size - 1)) return false;
        for (i64 k = 0; k < DIRECTIONS; k++) {
            const i64 c = b + steps[k];
            if (!ways[c] || c == a) continue;
            if (!is_large(c)) {
                if (join_small(size, a, b, c)) return true;
                continue;
            }
            for (const i64 d : linked(c)) {
                if (!are_next(c, d)) continue;
                if (is_move(d, a)) {
                    put_places(size, i, is_back, place[c], place[d]);
                    exchange(a, b, c, d);
                    return true;
                }
                look_at(found, a, {i, is_back, c, d, -1, -1});
            }
        }
        return false;
    }

    // Join the small loop of a square to another one, if possible.
    //
    // Its link a-b and a link c-d of the large loop are replaced by b-c and d-a. If that fails, a-b, c-d and e-f are
    // replaced by b-c, d-e and f-a, if the loop reaches c and f, or d and e, first: then the shortest such segment is
    // reversed. Two small loops are also joined. If this would take long, or is impossible, the loop replaces a short
    // segment of the large one, which becomes a small loop.
    void fit(i64 first, i64 x) {
        Ways found = {walk(first, inner), (ways[first] & END) != 0, x};
        // From the middle of the path: it is fitted in when its first square comes.
        if (!found.is_path && ways[inner[found.size - 1]] & END) return;
        // The large loop may become a path by this, which begins elsewhere than its numbers.
        if (found.is_path) place[GAP] = 0;
        for (i64 i = 0; i < found.size; i++) {
            // Both directions of each link.
            if (join_at(found, i, false) || join_at(found, i, true)) return;
            if (found.shortest >= 0 && found.shortest <= SHORT) break;
        }
        x = next_random(found.random);
        const bool is_long = found.shortest < 0 || found.shortest > LONG;
        if (found.swaps > 0 && is_long && (x & 12) != 0) return swap_in(found.size, found.swap);
        if (found.shortest >= 0) return turn_and_fit(found.size, found.turn);
        split_near(inner[x % found.size], x);
    }
};

}  // namespace
