// The distribution warnsdorff: always move to a free square with the fewest free neighbours, break ties at random, and
// restart at a dead end. See lab/sampling/distributions/searched.py for the arrays.
#include "../random.h"

namespace {

struct Counters {
    using Item = i64;
    i64 random, count, start, end, closed, made, nodes, fails;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, near, labels;
    Array<i64> free, line;
    Array<bool> is_off;
    AnyOf<u8, u16, i32> out;
};

struct Attempts : State {
    Counters &now;
    u64 random;

    explicit Attempts(const State &state) : State(state), now(counters[0]), random(u64(now.random)) {}

    i64 draw_start() {
        random = next_state(random);
        i64 at = now.start;
        while (at < 0 || (at == now.end && now.count > 1)) {
            at = i64((random_bits(random) * u64(now.count)) >> 32);
            random = next_state(random);
        }
        return at;
    }

    void visit(i64 square) {
        is_off[square] = true;
        for (i64 k = offsets[square]; k < offsets[square + 1]; k++) free[near[k]]--;
    }

    // Return the free neighbour of `at` with the fewest free neighbours, or -1. Ties: the lowest random number.
    i64 next_square(i64 at, i64 length) {
        i64 best = -1, lowest = INT64_MAX;
        for (i64 k = offsets[at]; k < offsets[at + 1]; k++) {
            const i64 square = near[k];
            if (is_off[square] || (square == now.end && length < now.count - 1)) continue;
            random = next_state(random);
            const i64 rank = (free[square] << 32) + i64(random_bits(random));
            if (rank < lowest) {
                lowest = rank;
                best = square;
            }
        }
        return best;
    }

    bool are_joined(i64 a, i64 b) const {
        for (i64 k = offsets[a]; k < offsets[a + 1]; k++)
            if (near[k] == b) return true;
        return false;
    }

    // Walk from one end to a dead end; return whether `line` is now a tour.
    bool attempt() {
        const i64 first = draw_start();
        for (i64 square = 0; square < now.count; square++) {
            free[square] = offsets[square + 1] - offsets[square];
            is_off[square] = false;
        }
        i64 length = 0;
        for (i64 at = first; at >= 0;) {
            line[length++] = at;
            visit(at);
            if (length == now.count) break;
            // A closed tour needs a free square next to its start for its last square.
            if (now.closed && free[first] == 0) break;
            at = next_square(at, length);
        }
        now.nodes += length;
        if (length < now.count) return false;
        return !now.closed || (now.count > 2 && are_joined(line[length - 1], first));
    }

    void write() {
        out.visit([&](auto rows) {
            using Label = typename decltype(rows)::Type;
            for (i64 step = 0; step < now.count; step++) rows[now.made * now.count + step] = Label(labels[line[step]]);
            return 0;
        });
        now.made++;
    }

    void run(i64 nodes) {
        const i64 limit = now.nodes + nodes, room = out.size / now.count;
        while (now.made < room && now.nodes < limit) {
            if (attempt())
                write();
            else
                now.fails++;
        }
        now.random = i64(random);
    }
};

// Try until `out` is full or about `nodes` squares were visited; counters.made rows contain tours. The last attempt is
// completed.
i64 restarts_run(State state, i64 nodes) {
    Attempts(state).run(nodes);
    return 0;
}

}  // namespace

EXPORT_KERNEL(restarts_run)
