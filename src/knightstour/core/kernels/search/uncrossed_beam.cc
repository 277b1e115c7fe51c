// Beam search for long uncrossed tours: a sweep that keeps only the best states. See lab/objectives/uncrossed_beam.py
// for the arrays.
#include "../bits.h"

namespace {

constexpr u8 FREE = 255, DONE = 254, LOST = 253, ALL_BLOCKED = 255;
constexpr i64 MAX_WINDOW = 250;

struct Lines {
    i64 closed, places, window;
    Array<const i64> first, target, back_first, back, crossing_first, crossing, near_first, near;
};
struct Made {
    using Item = i64;
    i64 length, ends, lost, from;
};
struct Totals {
    using Item = i64;
    i64 count, length, came_from;
};

// Successors of one state when a place gets some of its later moves.
struct Choice {
    const Lines &lines;
    i64 place;
    Made made;
    // For each place of the window: its mark, and the bits of its blocked later moves.
    u8 marks[MAX_WINDOW], blocked[MAX_WINDOW];
    bool is_over = false;

    i64 slot(i64 other) const { return other % lines.window; }
    u8 &mark(i64 other) { return marks[slot(other)]; }

    bool is_done(i64 other) { return other < place + lines.window && mark(other) == DONE; }

    bool may_move(i64 owner, i64 move) const { return !(blocked[slot(owner)] >> (move - lines.first[owner]) & 1); }

    void block(i64 owner, i64 move) { blocked[slot(owner)] |= u8(1 << (move - lines.first[owner])); }

    // Make a later move of the place. Returns whether it can be made.
    bool join(i64 move) {
        const i64 here = slot(place), there = slot(lines.target[move]);
        const u8 a = marks[here], b = marks[there];
        if (is_over || a == DONE || b == DONE || !may_move(place, move)) return false;
        made.length++;
        for (i64 k = lines.crossing_first[move]; k < lines.crossing_first[move + 1]; k++)
            block(lines.crossing[2 * k], lines.crossing[2 * k + 1]);
        if (a != FREE) marks[here] = DONE;
        if (b != FREE) marks[there] = DONE;
        const i64 from = a == FREE ? here : a, to = b == FREE ? there : b;
        made.ends += (a == FREE) + (b == FREE) - (a != FREE) - (b != FREE);
        if (a != FREE && b != FREE && (a == there || (a == LOST && b == LOST))) {
            is_over = true;
            return made.ends == 0 && (a == LOST || lines.closed);
        }
        if (from != LOST) marks[from] = u8(to);
        if (to != LOST) marks[to] = u8(from);
        return true;
    }

    // An end without open moves. Returns whether a tour is still possible.
    bool lose(i64 other) {
        const u8 mate = mark(other);
        mark(other) = DONE;
        made.ends--;
        if (lines.closed) return false;
        if (mate == LOST) return (is_over = made.ends == 0);
        marks[mate] = LOST;
        return ++made.lost <= 2;
    }

    // Number of possible moves of a later place; impossible moves are blocked.
    i64 open_moves(i64 other) {
        i64 open = 0;
        for (i64 move = lines.first[other]; move < lines.first[other + 1]; move++) {
            if (is_done(lines.target[move])) block(other, move);
            open += may_move(other, move);
        }
        for (i64 k = lines.back_first[other]; k < lines.back_first[other + 1]; k++) {
            const i64 from = lines.back[2 * k];
            open += from > place && !is_done(from) && may_move(from, lines.back[2 * k + 1]);
        }
        return open;
    }

    // Normalise unusable squares and moves. Returns whether a tour is still possible.
    bool settle() {
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (i64 k = lines.near_first[place]; k < lines.near_first[place + 1]; k++) {
                const i64 other = lines.near[k];
                if (is_done(other)) continue;
                const i64 open = open_moves(other);
                const bool is_free = mark(other) == FREE;
                if (open >= (is_free && (lines.closed || made.lost == 2) ? 2 : 1)) continue;
                if (is_free)
                    mark(other) = DONE;
                else if (!lose(other))
                    return false;
                if (is_over) return true;
                goes_on = true;
            }
            for (i64 k = lines.near_first[place]; k < lines.near_first[place + 1]; k++)
                if (is_done(lines.near[k])) blocked[slot(lines.near[k])] = ALL_BLOCKED;
        }
        return true;
    }

    // Make the chosen moves, and leave the place. Returns whether a tour is possible.
    bool make(u64 chosen) {
        bool can_be = true;
        each_of(chosen, [&](i64 k) { can_be = can_be && join(lines.first[place] + k); });
        if (!can_be) return false;
        if (!is_over && mark(place) != FREE && mark(place) != DONE && !lose(place)) return false;
        mark(place) = DONE;
        if (!is_over && !settle()) return false;
        // The slot is reused by a later place.
        mark(place) = FREE;
        blocked[slot(place)] = 0;
        return true;
    }
};

// Append a state, or replace an equal, shorter one.
void put(const Choice &choice, Array<u8> rows, Array<Made> made, Array<i64> table, Totals &now) {
    const i64 window = choice.lines.window;
    const Array<u8> row = rows.part(2 * window * now.count, 2 * window);
    u64 hash = 0;
    for (i64 k = 0; k < window; k++) {
        row[k] = choice.marks[k];
        row[window + k] = choice.blocked[k];
        hash = (hash ^ (u64(row[k]) << 8 | row[window + k])) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 29;
    }
    const u64 mask = u64(table.size) - 1;
    for (u64 i = hash & mask;; i = (i + 1) & mask) {
        i64 &other = table[i64(i)];
        if (!other) {
            made[now.count] = choice.made;
            other = ++now.count;
            return;
        }
        const Array<u8> theirs = rows.part(2 * window * (other - 1), 2 * window);
        bool is_same = true;
        for (i64 k = 0; is_same && k < 2 * window; k++) is_same = row[k] == theirs[k];
        if (!is_same) continue;
        if (choice.made.length > made[other - 1].length) made[other - 1] = choice.made;
        return;
    }
}

// Insert the successors of states first ... last-1 at a place.
i64 uncrossed_beam_expand(Lines lines, i64 place, Array<const u8> rows, Array<const Made> made, Array<u8> new_rows,
                          Array<Made> new_made, Array<i64> table, Array<Totals> totals, i64 first, i64 last) {
    const u64 choices = u64(1) << (lines.first[place + 1] - lines.first[place]);
    for (i64 state = first; state < last; state++) {
        for (u64 chosen = 0; chosen < choices; chosen++) {
            if (count_of(chosen) > 2) continue;
            Choice choice{lines, place, made[state], {}, {}};
            for (i64 k = 0; k < lines.window; k++) {
                choice.marks[k] = rows[2 * lines.window * state + k];
                choice.blocked[k] = rows[2 * lines.window * state + lines.window + k];
            }
            choice.made.from = state << 8 | i64(chosen);
            if (!choice.make(chosen)) continue;
            if (!choice.is_over) {
                put(choice, new_rows, new_made, table, totals[0]);
            } else if (choice.made.length > totals[0].length) {
                totals[0].length = choice.made.length;
                totals[0].came_from = choice.made.from;
            }
        }
    }
    return 0;
}

}  // namespace

EXPORT_KERNEL(uncrossed_beam_expand)
