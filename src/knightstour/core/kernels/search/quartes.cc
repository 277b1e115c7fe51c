// Tours of regular quartes with magic rows or columns. See lab/objectives/quartes.py for definitions and arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND, EXHAUSTED };

// next: index in `starts`.
struct Counters {
    using Item = i64;
    i64 nodes, depth, count, width, cols, rows_matter, cols_matter, next, random, patience, since_restart;
};

struct State {
    Array<Counters> counters;
    Array<const i64> cells, first, masks;
    Array<const bool> fits;
    Array<const i64> starts;
    Array<i64> used, row_places, col_places, row_left, col_left, row_sum, col_sum, waiting, length, path;
};

// A choice is block * KINDS + quarte.
constexpr i64 KINDS = 64;
// The moves of a knight: rows, columns.
constexpr i64 LEAPS[8][2] = {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};

// Whether `left` of the numbers k from `next` to `count` - 1 can have the sum `need`.
bool can_give(i64 need, i64 left, i64 next, i64 count) {
    const i64 steps = left * (left - 1) / 2;
    return need >= left * next + steps && need <= left * (count - 1) - steps;
}

struct Search : State {
    Counters &now;
    const i64 rows, across;  // rows of squares; blocks in a row of blocks

    explicit Search(const State &state)
        : State(state), now(counters[0]), rows(row_places.size), across(counters[0].cols / 4) {}

    // The current choice at a depth.
    i64 &held(i64 depth) const { return waiting[depth * now.width + now.width - 1]; }

    // Add a choice, the quarte of number k, to the sums, or subtract it: sign 1 or -1.
    void count(i64 choice, i64 k, i64 sign) {
        const i64 block = choice / KINDS, quarte = choice % KINDS;
        const i64 row = block / across, col = block % across;
        used[block] ^= masks[quarte];
        for (i64 i = 0; i < 4; i++) {
            const i64 cell = cells[4 * quarte + i], place = sign * (2 * i - 3);
            row_places[4 * row + cell / 4] += place;
            col_places[4 * col + cell % 4] += place;
        }
        row_left[row] -= sign;
        col_left[col] -= sign;
        row_sum[row] += sign * k;
        col_sum[col] += sign * k;
    }

    // Whether the lines of a band can still have one mean after a quarte is added.
    bool keep_mean(i64 row, i64 col, i64 quarte) const {
        const i64 most_down = 3 * (row_left[row] - 1), most_across = 3 * (col_left[col] - 1);
        for (i64 i = 0; i < 4; i++) {
            const i64 cell = cells[4 * quarte + i], place = 2 * i - 3;
            const i64 down = row_places[4 * row + cell / 4] + place, along = col_places[4 * col + cell % 4] + place;
            if (now.rows_matter && (down > most_down || down < -most_down)) return false;
            if (now.cols_matter && (along > most_across || along < -most_across)) return false;
        }
        return true;
    }

    // Whether each band can still get its share of the numbers k, from `next` on.
    bool have_shares(const Array<i64> &left, const Array<i64> &sum, i64 next) const {
        const i64 share = now.count * (now.count - 1) / 2 / left.size;
        for (i64 i = 0; i < left.size; i++)
            if (!can_give(share - sum[i], left[i], next, now.count)) return false;
        return true;
    }

    i64 draw(i64 below) { return (now.random = next_random(now.random)) % below; }

    // List the possible next quartes, from the squares one move away from the last.
    void list_choices() {
        const i64 base = now.depth * now.width, last = path[4 * now.depth - 1];
        i64 &count = length[now.depth];
        count = 0;
        for (const auto &leap : LEAPS) {
            const i64 row = last / now.cols + leap[0], col = last % now.cols + leap[1];
            if (row < 0 || col < 0 || row >= rows || col >= now.cols) continue;
            const i64 block = row / 4 * across + col / 4, cell = row % 4 * 4 + col % 4;
            for (i64 quarte = first[cell]; quarte < first[cell + 1]; quarte++)
                if (!(masks[quarte] & used[block]) && fits[0xFFFF ^ used[block] ^ masks[quarte]])
                    waiting[base + count++] = block * KINDS + quarte;
        }
        for (i64 i = count - 1; now.random && i > 0; i--) {
            const i64 j = draw(i + 1), other = waiting[base + j];
            waiting[base + j] = waiting[base + i];
            waiting[base + i] = other;
        }
    }

    // The next choice at the current depth, or -1.
    i64 next_choice() {
        if (now.depth > 0) return length[now.depth] > 0 ? waiting[now.depth * now.width + --length[now.depth]] : -1;
        if (now.next == starts.size) {
            if (!now.random) return -1;
            now.next = 0;
        }
        return starts[now.next++];
    }

    void take_back() {
        now.depth--;
        count(held(now.depth), now.depth, -1);
    }

    void put(i64 choice) {
        now.nodes++;
        now.since_restart++;
        const i64 block = choice / KINDS, quarte = choice % KINDS;
        if (!keep_mean(block / across, block % across, quarte)) return;
        count(choice, now.depth, 1);
        const bool is_promising = (!now.rows_matter || have_shares(row_left, row_sum, now.depth + 1)) &&
                                  (!now.cols_matter || have_shares(col_left, col_sum, now.depth + 1));
        if (!is_promising) return count(choice, now.depth, -1);
        for (i64 i = 0; i < 4; i++) {
            const i64 cell = cells[4 * quarte + i];
            path[4 * now.depth + i] = (block / across * 4 + cell / 4) * now.cols + block % across * 4 + cell % 4;
        }
        held(now.depth++) = choice;
        if (now.depth < now.count) list_choices();
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        if (now.depth == now.count) take_back();
        while (now.nodes < limit) {
            if (now.random && now.since_restart > now.patience) {
                while (now.depth > 0) take_back();
                now.since_restart = 0;
            }
            const i64 choice = next_choice();
            if (choice >= 0) {
                put(choice);
            } else if (now.depth == 0) {
                return EXHAUSTED;
            } else {
                take_back();
            }
            if (now.depth == now.count) return FOUND;
        }
        return RUNNING;
    }
};

// Try about `nodes` quartes. RUNNING; FOUND, after which the search can continue; EXHAUSTED in the given order.
i64 quartes_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(quartes_step)
