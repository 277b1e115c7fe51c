// The search for numberings. See core/search/clues_state.py for the arrays; conclusions.h draws the conclusions before
// each choice.
#include "../random.h"
#include "conclusions.h"

namespace {

enum Status : i64 { RUNNING, FOUND, EXHAUSTED };
// Upper bound of the noise; weight of one more move of a square.
constexpr i64 NOISE = 300, MOVE = 100;
constexpr i64 NEVER = i64(1) << 40;

struct Counters {
    using Item = i64;
    i64 nodes, depth, size, closed, started, held, capacity, choices, has_found, limit, round, random, why, where;
};

struct State {
    Array<Counters> counters;
    Array<const i64> near, back;
    Array<u64> time, alive, fixed;
    Array<i64> mate, size;
    Array<u64> up, down;
    Array<i64> noise, queue, waits, counts, squares, steps, tours;
    Array<const i64> named, apart;
};

struct Search : State {
    Counters &now;
    const i64 n = now.size, words = (n + 63) / 64;
    Conclusions known = {near, back, up, down, queue, waits, named, apart, n, now.closed == 1};

    explicit Search(const State &state) : State(state), now(counters[0]) {
        if (now.depth >= 0) enter(now.depth);
    }

    // Go to a level.
    void enter(i64 d) {
        now.depth = d;
        known.here = {time.part(d * n * words, n * words), alive.part(d * n, n), fixed.part(d * n, n),
                      mate.part(d * n, n), size.part(d * n, n)};
    }

    // Draw the conclusions from the given numbers.
    void begin() {
        now.started = 1;
        now.nodes++;
        if (!known.settle_all()) now.depth = -1;
    }

    // Record the candidates in `squares` and `steps`: the squares of the step with the fewest squares, or the steps of
    // the square with the fewest steps. Returns false if everything is known.
    bool choose() {
        for (i64 &count : counts) count = 0;
        i64 best = NEVER, square = -1, step = -1;
        for (i64 s = 0; s < n; s++) {
            const i64 score = 8 * known.add_steps(s, counts) + 2;
            if (score == 8 + 2 || score >= best) continue;
            best = score;
            square = s;
        }
        for (i64 t = 0; t < n; t++) {
            // Next to a known step a chain can be extended.
            const bool is_beside = (t > 0 && counts[t - 1] == 1) || (t < n - 1 && counts[t + 1] == 1);
            const i64 score = 8 * counts[t] - is_beside;
            if (counts[t] == 1 || score >= best) continue;
            best = score;
            step = t;
        }
        if (square < 0 && step < 0) return false;
        squares[now.depth] = step < 0 ? square : square_for(step);
        steps[now.depth] = step < 0 ? step_for(square) : step;
        return true;
    }

    // The square to try at a step, with the fewest moves.
    i64 square_for(i64 step) const {
        i64 least = NEVER, square = -1;
        for (i64 s = 0; s < n; s++) {
            if (!known.may_be(s, step)) continue;
            const i64 score = count_of(known.here.alive[s]) * MOVE + noise[s];
            if (score >= least) continue;
            least = score;
            square = s;
        }
        return square;
    }

    // The step at which to try a square, with the fewest squares.
    i64 step_for(i64 square) const {
        i64 least = NEVER, step = -1;
        for (i64 t = 0; t < n; t++) {
            if (!known.may_be(square, t)) continue;
            const i64 score = counts[t] * MOVE + noise[t];
            if (score >= least) continue;
            least = score;
            step = t;
        }
        return step;
    }

    // Make the recorded choice, one level deeper; return false on a contradiction.
    bool descend() {
        const i64 d = now.depth;
        const Level from = known.here;
        enter(d + 1);
        for (i64 i = 0; i < n * words; i++) known.here.time[i] = from.time[i];
        for (i64 i = 0; i < n; i++) {
            known.here.alive[i] = from.alive[i];
            known.here.fixed[i] = from.fixed[i];
            known.here.mate[i] = from.mate[i];
            known.here.size[i] = from.size[i];
        }
        now.choices++;
        return known.put(squares[d], steps[d]);
    }

    // Exclude the latest choice, and earlier ones while that is a contradiction.
    void go_back() {
        while (--now.depth >= 0) {
            enter(now.depth);
            if (known.strike_out(squares[now.depth], steps[now.depth])) return;
        }
    }

    // Undo all choices, to repeat them in another order.
    void start_again() {
        enter(0);
        now.round = now.round * 3 / 2;
        now.limit = now.nodes + now.round;
        for (i64 &its : noise) {
            now.random = next_random(now.random);
            its = now.random % NOISE;
        }
        known.shift_all();
    }

    // Store the numbering when every square has one step.
    void write_down() {
        const Array<i64> tour = tours.part(now.held * n, n);
        for (i64 s = 0; s < n; s++) {
            i64 step = 0;
            known.count_steps(s, step);
            tour[step] = s;
        }
        now.held++;
        now.has_found = 1;
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        if (nodes > 0 && !now.started) begin();
        while (now.nodes < limit) {
            if (now.depth < 0) return EXHAUSTED;
            if (!now.has_found && now.nodes >= now.limit) start_again();
            now.nodes++;
            if (!choose()) {
                write_down();
                go_back();
                if (now.held >= now.capacity) return FOUND;
            } else if (!descend()) {
                go_back();
            }
        }
        return now.depth < 0 ? EXHAUSTED : RUNNING;
    }

    // Record the last contradiction, if any.
    void note_why() {
        if (!known.why) return;
        now.why = known.why;
        now.where = known.where;
    }
};

// Continue the search for about `nodes` nodes. FOUND: `tours` contains numberings, and the next call continues after
// them.
i64 clues_step(State state, i64 nodes) {
    Search search(state);
    const Status status = search.step(nodes);
    search.note_why();
    return status;
}

// Before the search: exclude move k of square s, or make it certain. Returns the contradiction, or 0.
i64 clues_lay_down(State state, i64 s, i64 k, i64 is_wanted) {
    Search search(state);
    search.known.lay_down(s, k, is_wanted);
    search.note_why();
    return search.known.why;
}

}  // namespace

EXPORT_KERNEL(clues_step)
EXPORT_KERNEL(clues_lay_down)
