// Warnsdorff's rule with critical points. See core/search/warnsdorff.py for the arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
enum Ties : i64 { FIRST, AT_RANDOM, POHL, ROTH, SQUIRREL };
// Special values of the goal, instead of the last square.
constexpr i64 CLOSED = -2, ANY = -1;
// Size of a phase in `plan`: the rank of each of the eight moves, and the square that ends the phase.
constexpr i64 PHASE = 9;

// since_restart: number of backtracks since the last restart.
struct Counters {
    using Item = i64;
    i64 nodes, random, length, count, goal, ties, noise, patience, since_restart, restarts, critical, backs;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, targets;
    Array<i64> path, position, free, tied, waiting;
    Array<const i64> starts, keys, directions, plan;
    Array<i64> phase;
};

struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 last() const { return path[now.length - 1]; }

    // Whether the square at a step still counts as free: a closed tour returns to its first square.
    bool stays_free(i64 step) const { return step == 0 && now.goal == CLOSED; }

    // Add `more` free neighbours to all squares one move from x.
    void add_free(i64 x, i64 more) {
        for (i64 k = offsets[x]; k < offsets[x + 1]; k++) free[targets[k]] += more;
    }

    // Return to the latest critical point with an untried move; without one, or without patience, to the start.
    void back_up() {
        now.backs++;
        now.since_restart++;
        const bool gives_up = now.since_restart > now.patience;
        while (now.length > 0 && (gives_up || waiting[last()] == 0)) {
            const i64 x = last();
            now.length--;
            position[x] = -1;
            if (!stays_free(now.length)) add_free(x, 1);
        }
        if (now.length == 0) {
            now.restarts++;
            now.since_restart = 0;
        }
    }

    bool are_joined(i64 x, i64 y) const {
        for (i64 k = offsets[x]; k < offsets[x + 1]; k++)
            if (targets[k] == y) return true;
        return false;
    }

    // List the tied moves from the last square: to squares with the fewest free neighbours.
    //
    // A move that removes the last access to the goal is omitted. The list is empty at an obvious dead end: a neighbour
    // without an exit, or several neighbours with one exit, each of which would have to come next.
    void list_ties() {
        const i64 here = last(), low = offsets[here], left = now.count - now.length;
        const i64 closing = now.goal == CLOSED ? path[0] : now.goal;
        const bool guards = closing >= 0 && free[closing] == 1 && left > (now.goal == CLOSED ? 1 : 2);
        i64 fewest = INT64_MAX, count = 0, lonely = 0;
        for (i64 k = low; k < offsets[here + 1]; k++) {
            const i64 x = targets[k];
            if (position[x] >= 0 || (x == now.goal && left > 1)) continue;
            if (guards && are_joined(x, closing)) continue;
            const i64 degree = free[x];
            if (degree < fewest) {
                fewest = degree;
                count = 0;
            }
            if (degree == fewest) tied[low + count++] = k;
            lonely += degree == 1;
        }
        // One square with a single exit can be the end of the tour, unless the end is given.
        if (left > 1 && (fewest == 0 || lonely > (now.goal == ANY ? 2 : 1))) count = 0;
        waiting[here] = count;
        now.critical += count > 1;
    }

    i64 draw() { return now.random = next_random(now.random); }

    // Priority of a tied move, lowest first.
    i64 rank_of(i64 move, i64 ties) const {
        const i64 x = targets[move];
        if (ties == ROTH) return keys[x];
        if (ties == SQUIRREL) return plan[PHASE * phase[now.length - 1] + directions[move]];
        i64 rank = 0;
        for (i64 k = offsets[x]; k < offsets[x + 1]; k++)
            if (position[targets[k]] < 0) rank += free[targets[k]];
        return rank;
    }

    // Select the next of `count` tied moves, from item `low` of `tied` on.
    i64 choose(i64 low, i64 count) {
        i64 ties = now.ties;
        if (now.restarts > 0 && ties != AT_RANDOM && draw() % now.noise == 0) ties = AT_RANDOM;
        if (ties == AT_RANDOM) return low + draw() % count;
        if (ties == FIRST) return low;
        i64 best = low, least = INT64_MAX;
        for (i64 i = low; i < low + count; i++) {
            const i64 rank = rank_of(tied[i], ties);
            if (rank < least) {
                least = rank;
                best = i;
            }
        }
        return best;
    }

    // The target of the next tied move, or -1.
    i64 take_tied() {
        const i64 here = last(), low = offsets[here], count = waiting[here];
        if (count == 0) return -1;
        const i64 best = count > 1 ? choose(low, count) : low;
        const i64 x = targets[tied[best]];
        for (i64 i = best; i < low + count - 1; i++) tied[i] = tied[i + 1];
        waiting[here] = count - 1;
        return x;
    }

    void put(i64 x) {
        const i64 step = now.length;
        path[step] = x;
        position[x] = step;
        now.length++;
        now.nodes++;
        if (!stays_free(step)) add_free(x, -1);
        if (now.ties == SQUIRREL) {
            const i64 before = step == 0 ? 0 : phase[step - 1];
            phase[step] = plan[PHASE * before + PHASE - 1] == x ? before + 1 : before;
        }
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        while (now.nodes < limit) {
            const i64 x = now.length == 0 ? starts[now.restarts % starts.size] : take_tied();
            if (x < 0) {
                back_up();
                continue;
            }
            put(x);
            if (now.length == now.count) return FOUND;
            list_ties();
        }
        return RUNNING;
    }
};

// Continue for about `nodes` placed squares. RUNNING or FOUND; the search never ends without a tour.
i64 warnsdorff_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(warnsdorff_step)
