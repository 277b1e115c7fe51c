// The neural network. See lab/museum/neural.py for the arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
enum Phase : i64 { BEGIN, GATHER, SWEEPING, TRACE };
// A neuron switches on above the first potential and off below the second.
constexpr i64 ON_ABOVE = 3, OFF_BELOW = 0;

// sweep: sweeps of this attempt. turns: neurons in `turns`. loops: loops of the last cover.
struct Counters {
    using Item = i64;
    i64 nodes, random, phase, cursor, is_synchronous, wants_cover, sweep, max_sweeps, turns, wrong, loops, restarts,
        converged, single, sweeps;
};

struct State {
    Array<Counters> counters;
    Array<const i64> tails, heads, offsets, slots;
    Array<bool> output;
    Array<i64> potential, degree, fresh, turns, marks, wrong, place, cycle;
};

struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 draw() { return now.random = next_random(now.random); }
    i64 moves_of(i64 v) const { return offsets[v + 1] - offsets[v]; }

    // Update the list of vertices with a wrong degree, after degree[v] has changed.
    void note_wrong(i64 v) {
        const bool is_wrong = degree[v] != 2;
        if (is_wrong == (place[v] >= 0)) return;
        if (is_wrong) {
            place[v] = now.wrong;
            wrong[now.wrong++] = v;
            return;
        }
        const i64 last = wrong[--now.wrong];
        wrong[place[v]] = last;
        place[last] = place[v];
        place[v] = -1;
    }

    // Random initial state of a neuron: on with probability 2 / degree, for its end with more moves.
    void begin_one(i64 m) {
        const i64 a = tails[m], b = heads[m];
        const i64 most = moves_of(a) > moves_of(b) ? moves_of(a) : moves_of(b);
        const bool is_on = u32(draw() >> 4) % u32(most) < 2;
        const i64 change = is_on - output[m];
        degree[a] += change;
        degree[b] += change;
        output[m] = is_on;
        note_wrong(a);
        note_wrong(b);
        // Random delays, so that neurons do not all switch simultaneously.
        const i64 sleep = u32(draw() >> 4) % u32(2 * most);
        potential[m] = is_on ? 0 : -sleep;
    }

    void begin() {
        now.nodes++;
        if (now.cursor < output.size) {
            begin_one(now.cursor++);
            return;
        }
        for (i64 v = 0; v < degree.size; v++) {
            note_wrong(v);
            fresh[v] = degree[v];
        }
        now.sweep = 0;
        now.phase = GATHER;
    }

    // List the neurons at vertices that are wrong.
    void list_turns() {
        now.turns = 0;
        for (i64 v : wrong.part(0, now.wrong))
            for (i64 k = offsets[v]; k < offsets[v + 1]; k++) {
                const i64 m = slots[k];
                if (marks[m] == now.sweeps) continue;
                marks[m] = now.sweeps;
                turns[now.turns++] = m;
            }
    }

    void shuffle_turns() {
        for (i64 i = now.turns - 1; i > 0; i--) {
            const i64 j = u32(draw()) % u32(i + 1), m = turns[i];
            turns[i] = turns[j];
            turns[j] = m;
        }
    }

    void gather() {
        now.cursor = 0;
        if (now.wrong == 0) {
            now.phase = TRACE;
        } else if (now.sweep == now.max_sweeps) {
            now.restarts++;
            now.phase = BEGIN;
        } else {
            // A vertex without moves gives no work, but the sweep must count.
            now.nodes++;
            now.sweep++;
            now.sweeps++;
            list_turns();
            if (!now.is_synchronous) shuffle_turns();
            now.phase = SWEEPING;
        }
    }

    // One step of one neuron, which adds its effect to `degrees`. Returns whether it switched.
    bool update(i64 m, Array<i64> degrees) {
        const i64 a = tails[m], b = heads[m], level = potential[m] += 4 - degree[a] - degree[b];
        const bool was_on = output[m], is_on = level > ON_ABOVE || (was_on && level >= OFF_BELOW);
        if (is_on == was_on) return false;
        output[m] = is_on;
        degrees[a] += is_on ? 1 : -1;
        degrees[b] += is_on ? 1 : -1;
        return true;
    }

    void update_degree(i64 v) {
        degree[v] = fresh[v];
        note_wrong(v);
    }

    // Continue the sweep until it ends or the limit is reached.
    void sweep(i64 limit) {
        const i64 left = now.turns - now.cursor, count = left < limit - now.nodes ? left : limit - now.nodes;
        for (i64 m : turns.part(now.cursor, count)) {
            if (now.is_synchronous) {
                update(m, fresh);
            } else if (update(m, degree)) {
                note_wrong(tails[m]);
                note_wrong(heads[m]);
            }
        }
        now.nodes += count;
        now.cursor += count;
        if (count < left) return;
        if (now.is_synchronous)
            for (i64 m : turns.part(0, now.turns)) {
                update_degree(tails[m]);
                update_degree(heads[m]);
            }
        now.phase = GATHER;
    }

    // The next unvisited vertex of the loop through v, or -1.
    i64 next_in_loop(i64 v) const {
        i64 next = -1;
        for (i64 k = offsets[v]; k < offsets[v + 1]; k++) {
            const i64 m = slots[k], other = tails[m] + heads[m] - v;
            if (output[m] && fresh[other] == 0) next = other;
        }
        return next;
    }

    // Write the loops of a cover into `cycle`, and count them. A visited vertex is `fresh`.
    void trace() {
        for (i64 &visits : fresh) visits = 0;
        now.loops = 0;
        i64 length = 0;
        for (i64 first = 0; first < degree.size; first++) {
            if (fresh[first]) continue;
            now.loops++;
            for (i64 v = first; v >= 0; v = next_in_loop(v)) {
                fresh[v] = 1;
                cycle[length++] = v;
            }
            cycle[length - 1] = -1 - cycle[length - 1];
        }
    }

    // The network is stable. Returns whether its state is a solution.
    bool ends() {
        now.nodes += degree.size;
        now.converged++;
        trace();
        now.phase = BEGIN;
        now.single += now.loops == 1;
        if (now.loops == 1 || now.wants_cover) return true;
        now.restarts++;
        return false;
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        while (now.nodes < limit) {
            if (now.phase == BEGIN)
                begin();
            else if (now.phase == GATHER)
                gather();
            else if (now.phase == SWEEPING)
                sweep(limit);
            else if (ends())
                return FOUND;
        }
        return RUNNING;
    }
};

// Continue for about `nodes` updates of neurons. The work between two sweeps is not interrupted: with millions of
// squares it takes 0.1 s.
i64 neural_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(neural_step)
