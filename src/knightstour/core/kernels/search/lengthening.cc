// Search that lengthens an uncrossed tour. See lab/objectives/lengthening.py for the arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND };

struct Counters {
    using Item = i64;
    i64 nodes, random, closed, squares, best, goal, cap, heat;
};

struct State {
    Array<Counters> counters;
    Array<const i64> first, near, number, crossing_first, crossing;
    Array<const bool> kept;
    Array<i64> crossed, next, previous;
    Array<bool> is_on;
    Array<i64> best_order, part, found, at;
};

// Maximum length of a removed part, in moves; maximum growth by an added part; nodes for each.
constexpr i64 MAX_PART = 12, MAX_MORE = 4, MAX_NODES = 400;

struct Search : State {
    Counters &now;
    i64 ours = 0, most = 0, least = 0, nodes = 0, length = 0;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 draw(i64 below) { return (now.random = next_random(now.random)) % below; }

    i64 move_between(i64 a, i64 b) const {
        for (i64 k = first[a]; k < first[a + 1]; k++)
            if (near[k] == b) return number[k];
        return -1;
    }

    // Make a move or undo it: sign 1 or -1.
    void cross(i64 move, i64 sign) {
        for (i64 k = crossing_first[move]; k < crossing_first[move + 1]; k++) crossed[crossing[k]] += sign;
    }

    i64 after(i64 square, bool is_back) const { return is_back ? previous[square] : next[square]; }

    // Remove the part after a square, `ours` moves long or up to the end of the tour; its squares are in `part`.
    // Returns whether a removable part exists.
    bool take_out(i64 square, bool is_back) {
        const i64 wanted = ours;
        part[0] = square;
        for (ours = 0; ours < wanted; ours++) {
            const i64 there = after(part[ours], is_back);
            if (there < 0 || there == square) break;
            part[ours + 1] = there;
        }
        const bool is_end = ours < wanted;
        if (is_end && (now.closed || kept[part[ours]])) return false;
        for (i64 k = 1; k < ours; k++)
            if (kept[part[k]]) return false;
        for (i64 k = 0; k < ours; k++) {
            cross(move_between(part[k], part[k + 1]), -1);
            is_on[part[k + 1]] = k + 1 == ours && !is_end;
        }
        return true;
    }

    // Insert a part of `size` moves, whose squares are in `list`.
    void put_in(const Array<i64> &list, i64 size, bool is_back, bool is_end) {
        for (i64 k = 0; k < size; k++) {
            cross(move_between(list[k], list[k + 1]), 1);
            (is_back ? previous : next)[list[k]] = list[k + 1];
            (is_back ? next : previous)[list[k + 1]] = list[k];
            if (k + 1 < size || is_end) is_on[list[k + 1]] = true;
        }
        if (is_end) (is_back ? previous : next)[list[size]] = -1;
    }

    // Start with a random move of the square at a depth.
    void open(i64 depth) {
        const i64 square = found[depth], count = first[square + 1] - first[square];
        at[2 * depth] = count ? draw(count) : 0;
        at[2 * depth + 1] = 0;
    }

    // The next square that can follow the one at a depth: a free one, or the goal; or -1.
    i64 next_square(i64 depth, i64 goal) {
        const i64 square = found[depth], count = first[square + 1] - first[square];
        while (at[2 * depth + 1] < count) {
            const i64 k = first[square] + (at[2 * depth] + at[2 * depth + 1]++) % count;
            if (crossed[number[k]] == 0 && (near[k] == goal || !is_on[near[k]])) return near[k];
        }
        return -1;
    }

    // Search for a part from the square before it to `goal`, or to any square if that is -1. Returns its length, or 0;
    // its squares are in `found`.
    i64 look(i64 goal) {
        i64 depth = 0;
        found[0] = part[0];
        open(0);
        for (nodes = 0; nodes < MAX_NODES;) {
            const i64 square = depth < most ? next_square(depth, goal) : -1;
            if (square < 0) {
                if (depth == 0) return 0;
                depth--;
                is_on[found[depth + 1]] = false;
                cross(move_between(found[depth], found[depth + 1]), -1);
                continue;
            }
            nodes++;
            const i64 move = move_between(found[depth], square);
            found[depth + 1] = square;
            const bool is_end = goal < 0 ? depth + 1 >= least : square == goal;
            if (is_end && depth + 1 >= least) {
                clear(depth);
                return depth + 1;
            }
            if (is_end) continue;
            depth++;
            is_on[square] = true;
            cross(move, 1);
            open(depth);
        }
        clear(depth);
        return 0;
    }

    // Undo the moves of `look` down to a depth.
    void clear(i64 depth) {
        for (i64 k = depth; k > 0; k--) {
            is_on[found[k]] = false;
            cross(move_between(found[k - 1], found[k]), -1);
        }
    }

    void keep_best() {
        i64 square = 0, count = 0;
        while (!is_on[square]) square++;
        while (!now.closed && previous[square] >= 0) square = previous[square];
        const i64 begin = square;
        do {
            best_order[count++] = square;
            square = next[square];
        } while (square >= 0 && square != begin);
        now.best = count;
    }

    void step() {
        const i64 square = draw(is_on.size);
        now.nodes++;
        if (!is_on[square]) return;
        const bool is_back = draw(2);
        const i64 wanted = ours = 1 + draw(MAX_PART);
        if (!take_out(square, is_back)) return;
        const bool is_end = ours < wanted;
        const bool is_cooler = draw(now.heat) == 0 && now.squares > 8;
        least = ours - (is_cooler ? 1 + draw(2) : 0);
        if (draw(3) == 0) least = ours + 1;
        if (least < 1) least = 1;
        most = ours + MAX_MORE;
        if (most > ours + now.cap - now.squares) most = ours + now.cap - now.squares;
        const i64 size = look(is_end ? -1 : part[ours]);
        now.nodes += nodes;
        if (size == 0) return put_in(part, ours, is_back, is_end);
        put_in(found, size, is_back, is_end);
        now.squares += size - ours;
        if (now.squares > now.best) keep_best();
    }
};

// Continue for some nodes. Returns FOUND when the tour has the required length.
i64 lengthening_step(State state, i64 nodes) {
    Search search(state);
    const i64 last = search.now.nodes + nodes;
    while (search.now.best < search.now.goal) {
        if (search.now.nodes >= last) return RUNNING;
        search.step();
    }
    return FOUND;
}

}  // namespace

EXPORT_KERNEL(lengthening_step)
