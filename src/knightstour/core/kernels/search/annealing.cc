// Simulated annealing of a closed line. See lab/museum/annealing.py for the arrays.
#include "../random.h"
#include "lines.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
enum Phase : i64 { SHUFFLE, WALK, COUNT, COOL };
// Maximum number of moved vertices per node before a call returns.
constexpr i64 SWAPS_PER_NODE = 100;
// Usual upper bound on the number of vertices that a turn moves.
constexpr i64 NEAR = 1000;
// Number of proposals, out of 8, that start at a gap.
constexpr i64 AT_GAPS = 6;

// left: remaining proposals of this stage.
struct Counters {
    using Item = i64;
    i64 nodes, random, phase, cursor, gaps, loose, stage, left, stage_turns, is_greedy, turns, worse, heats, length;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, targets, chances;
    Array<i64> line, place, loose, spot, free;
};

struct Search : State {
    Counters &now;
    ClosedLine ring;

    explicit Search(const State &state)
        : State(state), now(counters[0]), ring{{offsets, targets}, line, place, loose, spot, now.loose} {}

    i64 draw() { return now.random = next_random(now.random); }
    // A random number below a limit, without the weak low bits.
    i64 choice(i64 count) { return u32(draw() >> 4) % u32(count); }

    // Continue with the next vertex, or with the next phase after the last one.
    void advance(i64 &place, Phase next) {
        if (++place < line.size) return;
        now.cursor = 0;
        now.phase = next;
    }

    // Insert the next vertex into `loose` at a random position (uniform shuffle).
    void shuffle() {
        const i64 i = now.cursor, j = draw() % (i + 1);
        loose[i] = loose[j];
        loose[j] = i;
        advance(now.cursor, WALK);
    }

    // A free neighbour of the last vertex with the fewest free neighbours (random ties), or -1.
    i64 next_by_rule() {
        if (now.length == 0) return -1;
        const i64 last = line[now.length - 1];
        i64 best = -1, fewest = INT64_MAX, ties = 0;
        for (i64 k = offsets[last]; k < offsets[last + 1]; k++) {
            const i64 v = targets[k];
            if (place[v] >= 0 || free[v] > fewest) continue;
            if (free[v] < fewest) {
                fewest = free[v];
                ties = 0;
            }
            ties++;
            if (choice(ties) == 0) best = v;
        }
        return best;
    }

    // Add one more vertex to the line.
    void walk() {
        i64 v = now.is_greedy ? next_by_rule() : -1;
        if (v < 0) {
            while (place[loose[now.cursor]] >= 0) now.cursor++;
            v = loose[now.cursor];
        }
        place[v] = now.length;
        line[now.length] = v;
        for (i64 k = offsets[v]; k < offsets[v + 1]; k++) free[targets[k]]--;
        advance(now.length, COUNT);
    }

    void count() {
        now.gaps += ring.is_gap(now.cursor);
        ring.note_loose(line[now.cursor]);
        now.left = now.stage_turns;
        advance(now.cursor, COOL);
    }

    // Whether to accept a turn of this length: long ones are increasingly rare. On large boards most of the time would
    // otherwise go into long turns.
    bool is_near(i64 length) {
        i64 farthest = NEAR;
        for (i64 x = draw(); (x & 1) && farthest < line.size; x >>= 1) farthest *= 2;
        return length <= farthest || line.size - length <= farthest;
    }

    // Propose a turn, and accept it if it adds no gap; if it adds one, with the probability of this stage.
    //
    // It replaces the links u-p and v-q by u-v, which is a move, and p-q. Returns the number of swaps.
    i64 propose() {
        const i64 kind = draw();
        const bool at_gap = (kind >> 3) % 8 < AT_GAPS;
        const i64 u = at_gap ? loose[choice(now.loose)] : line[choice(line.size)], i = place[u];
        bool forward = kind >> 7 & 1;
        if (at_gap && !ring.is_gap(forward ? i : ring.before(i))) forward = !forward;
        const i64 degree = ring.degree(u), move = choice(degree > 0 ? degree : 1);
        if (degree == 0) return 0;
        const i64 v = targets[offsets[u] + move], j = place[v];
        const i64 p = line[ring.beside(i, forward)];
        if (v == p || v == line[ring.beside(i, !forward)]) return 0;
        if (!is_near(j > i ? j - i : i - j)) return 0;
        const i64 q = line[ring.beside(j, forward)];
        const i64 change = !ring.are_joined(p, q) - !ring.are_joined(u, p) - !ring.are_joined(v, q);
        if (change > 0) {
            if (draw() >= chances[now.stage]) return 0;
            now.worse++;
        }
        now.turns++;
        now.gaps += change;
        return ring.turn(u, v, forward);
    }

    void cool() {
        if (--now.left > 0) return;
        now.left = now.stage_turns;
        if (++now.stage < chances.size) return;
        now.stage = 0;
        now.heats++;
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes, most_swaps = nodes * SWAPS_PER_NODE;
        for (i64 swaps = 0; now.nodes < limit && swaps < most_swaps;) {
            now.nodes++;
            if (now.phase == SHUFFLE)
                shuffle();
            else if (now.phase == WALK)
                walk();
            else if (now.phase == COUNT)
                count();
            else if (now.gaps == 0)
                return FOUND;
            else {
                swaps += propose();
                cool();
            }
        }
        return RUNNING;
    }
};

// Make about `nodes` proposals. A single turn on a board of millions of squares can take 0.1 s.
i64 annealing_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(annealing_step)
