// The ant colony. lab/museum/ants.py says what the arrays hold.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
// Of a move: what lies there at first, at least and at most.
constexpr i64 FIRST = 1 << 10, LEAST = 1 << 4, MOST = 1 << 20;
// What a walk of all vertices leaves on its first move.
constexpr i64 DROP = 1 << 10;
// Above this number of moves one is taken whatever the scent: only virtual vertices have more.
constexpr i64 MANY = 64;
// Vertices and moves looked at between walks, for each node after which a call also gives back control.
constexpr i64 WORK_A_NODE = 1000;

struct Counters {
    using Item = i64;
    i64 nodes, random, length, ant, ants, round, max_rounds, kept, walks, longest, restarts;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, targets, opening, bonus;
    Array<i64> scent, fresh, line, taken;
    Array<bool> is_off;
    Array<i64> free;
};

struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 draw() { return now.random = next_random(now.random); }

    // Put v, reached by a move, at the end of the walk.
    void enter(i64 move, i64 v) {
        line[now.length] = v;
        taken[now.length++] = move;
        is_off[v] = true;
        for (i64 k = offsets[v]; k < offsets[v + 1]; k++) free[targets[k]]--;
    }

    // The next ant starts at the end of the opening.
    void set_out() {
        for (i64 v = 0; v < line.size; v++) {
            is_off[v] = false;
            free[v] = offsets[v + 1] - offsets[v];
        }
        for (i64 v : opening) enter(-1, v);
    }

    bool are_joined(i64 v, i64 other) const {
        for (i64 k = offsets[v]; k < offsets[v + 1]; k++)
            if (targets[k] == other) return true;
        return false;
    }

    // Whether the walk may not go on beside its first vertex, as it must come back by the last free neighbour of that.
    bool guards_way_back() const { return free[line[0]] <= 1 && now.length < line.size - 1; }

    // What a move draws the ant by: its scent, times a bonus for few free neighbours; 0 where it must not go.
    i64 pull_of(i64 move, bool guards) const {
        const i64 v = targets[move];
        if (is_off[v] || (guards && are_joined(v, line[0]))) return 0;
        return scent[move] * bonus[free[v] < bonus.size ? free[v] : bonus.size - 1];
    }

    // The move to take next, by scent and free neighbours, or -1 at a dead end.
    i64 choose() {
        const i64 last = line[now.length - 1], low = offsets[last], high = offsets[last + 1], x = draw();
        const bool guards = guards_way_back();
        if (high - low > MANY) {
            const i64 k = low + x % (high - low);
            return pull_of(k, guards) ? k : -1;
        }
        i64 pulls[MANY], total = 0;
        for (i64 k = low; k < high; k++) total += pulls[k - low] = pull_of(k, guards);
        if (total == 0) return -1;
        i64 ball = ((x >> 2 << 32) + draw()) % total, k = low;
        while ((ball -= pulls[k - low]) >= 0) k++;
        return k;
    }

    // The ant has ended its walk: what it leaves grows with the length and is most on the first moves.
    void leave() {
        now.walks++;
        if (now.length > now.longest) now.longest = now.length;
        for (i64 i = opening.size; i < now.length; i++) fresh[taken[i]] += DROP * (now.length - i) / (line.size - i);
        now.ant++;
        now.length = 0;
    }

    // Part of the scent fades, and that of this round is added; after many rounds in vain all of it is forgotten.
    void end_round() {
        now.ant = 0;
        const bool forgets = ++now.round >= now.max_rounds;
        if (forgets) {
            now.round = 0;
            now.restarts++;
        }
        for (i64 k = 0; k < scent.size; k++) {
            const i64 left = scent[k] * now.kept / 1000 + fresh[k];
            scent[k] = forgets ? FIRST : left < LEAST ? LEAST : left > MOST ? MOST : left;
            fresh[k] = 0;
        }
    }

    bool is_tour() const { return now.length == line.size && are_joined(line[now.length - 1], line[0]); }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes, most_work = nodes * WORK_A_NODE;
        for (i64 work = 0; now.nodes < limit && work < most_work;) {
            now.nodes++;
            if (now.length == 0) {
                work += line.size;
                if (now.ant == now.ants) {
                    work += scent.size;
                    end_round();
                }
                set_out();
            }
            if (is_tour()) {
                leave();
                return FOUND;
            }
            const i64 k = choose();
            if (k < 0)
                leave();
            else
                enter(k, targets[k]);
        }
        return RUNNING;
    }
};

// Go on for at most about `nodes` moves of ants. An ant that sets out looks at all squares, which takes 0.1 s where
// they are tens of millions.
i64 ants_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

DOOR(ants_step)
