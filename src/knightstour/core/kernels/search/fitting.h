// Last part of the merging of large flat boards: insertion of the remaining small loops into the large one.
//
// The squares of the large loop have positions, monotonic along it; other squares have -1. place[GAP] is the minimum
// difference of two positions.
#pragma once
#include "flat_merging.h"

namespace {

// Positions farther apart are not consecutive: there the walk round the loop began and ended.
constexpr double NEXT = 1.5;
// Segments up to SHORT squares end the search; segments over LONG squares are avoided.
constexpr double SHORT = 500, LONG = 5000;
// The item without a square. Positions are renumbered below this minimum difference.
constexpr i64 GAP = 0;
constexpr double LEAST_GAP = 1e-4;
// Longer segments are not turned into loops.
constexpr i64 MOST_SWAPPED = 200;

// Insertion of a loop: its link from inner[i] to the next (or, if is_back, the previous one), and the links c-d and e-f
// of the large loop, are replaced by b-c, d-e and f-a.
struct Exchange {
    i64 i;
    bool is_back;
    i64 c, d, e, f;
};

// Options to insert a loop of `size` squares: the exchange that reverses the shortest segment, and a random exchange
// that turns a segment into a loop.
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

    // Arrays of this stage: the squares in small loops, and the squares of the loop to insert.
    const Array<i32> listed = via, inner = label;

    static double gap(double one, double other) { return one < other ? other - one : one - other; }

    bool is_large(i64 s) const { return place[s] >= 0; }

    // Whether two linked squares are consecutive in the walk round the large loop.
    bool are_next(i64 a, i64 b) const { return b >= 0 && gap(place[a], place[b]) <= NEXT; }

    bool is_rising(i64 a, i64 b) const { return place[b] > place[a]; }

    // The neighbour of square i of a loop.
    i64 beside(i64 i, bool is_back, i64 size) const { return inner[(is_back ? i + size - 1 : i + 1) % size]; }

    // ------------------------------------------------------------ positions

    // Renumber the squares of the large loop with integer positions, since repeated insertions reduce the differences.
    void number_again() {
        i64 first = now.first;
        if (!is_large(first)) {
            // This square has left the loop, which then has no ends.
            first = GAP + 1;
            while (!is_large(first)) first++;
        }
        const i64 count = walk(first, inner);
        for (i64 i = 0; i < count; i++) place[inner[i]] = double(i);
        place[GAP] = 1;
    }

    // Assign positions between two others to the squares of a loop that is entered at square i and left at its
    // neighbour.
    //
    // The neighbour gets the position next to `before`, square i the position next to `after`.
    void put_places(i64 size, i64 i, bool is_back, double before, double after) {
        const double least = gap(before, after) / double(size + 1);
        if (least < place[GAP]) place[GAP] = least;
        for (i64 k = 0; k < size; k++) {
            const i64 j = (is_back ? i + size - 1 - k : i + 1 + k) % size;
            place[inner[j]] = before + (after - before) * double(k + 1) / double(size + 1);
        }
    }

    // Remove the squares of a new small loop from the positions, and list them. A full list ends the search.
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

    // Reverse the segment between the two links of the large loop, and insert the small loop next to it.
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
        // b is linked to c and a to f, which are at the ends of the segment or next to it.
        put_places(size, by.i, by.is_back, place[by.c], place[by.f]);
        exchange_three(a, b, by.c, by.d, by.e, by.f);
    }

    // Insert the small loop, while the segment from d to e becomes a loop, whose squares are listed.
    void swap_in(i64 size, const Exchange &by) {
        const i64 a = inner[by.i], b = beside(by.i, by.is_back, size);
        put_places(size, by.i, by.is_back, place[by.c], place[by.f]);
        exchange_three(a, b, by.c, by.d, by.e, by.f);
        list_loop(by.d);
    }

    // Join the loop of a and b to the small loop of c, if it is another one and has a suitable link.
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

    // Turn a short segment of the large loop near a square into a small loop, which creates more options.
    //
    // Links c-d and e-f are replaced by c-f and d-e.
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

    // Split for given squares c, d and e; return false if no f is suitable.
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

    // Record the exchanges of a link a-b of a loop with c-d and another link of the large one.
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

    // Join a loop to another at its link from square i to the neighbour; return false if options were only recorded.
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
    // reversed. Two small loops are also joined. If all this is impossible or slow, the loop replaces a short segment
    // of the large one, which becomes a small loop.
    void fit(i64 first, i64 x) {
        Ways found = {walk(first, inner), (ways[first] & END) != 0, x};
        // Inside a path: insert it when its first square is reached.
        if (!found.is_path && ways[inner[found.size - 1]] & END) return;
        // The large loop may become a path with another start than its numbers.
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
