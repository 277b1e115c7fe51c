// A step of a population of random walks. See lab/counting/estimate.py for the arrays.
#include "../random.h"

namespace {

constexpr double DEAD = -1e300;

struct Field {
    Array<const i64> offsets, targets, near_root;
    Array<const double> liking, promise;
    Array<i64> random;
};

struct Walks {
    Array<i64> head, last;
    Array<i8> free;     // (walk, square)
    Array<i32> degree;  // (walk, square)
    Array<double> log_weight, hope;
    Array<i64> roots;
};

struct Choices {
    Array<double> total;
    Array<i64> degree;
};

// Walk i, and the choice of its next square; `left` squares are free before the step.
struct Walk {
    const Field &field;
    const Walks &walks;
    const i64 i, left;
    const bool is_closed;
    const Array<i8> free;
    const Array<i32> degree;
    const i64 low, high;
    bool only_tight = false;

    Walk(const Field &its_field, const Walks &all, i64 number, i64 squares_left, bool closed)
        : field(its_field),
          walks(all),
          i(number),
          left(squares_left),
          is_closed(closed),
          free(all.free.part(i * field.near_root.size, field.near_root.size)),
          degree(all.degree.part(i * field.near_root.size, field.near_root.size)),
          low(field.offsets[all.head[i]]),
          high(field.offsets[all.head[i] + 1]) {}

    // 1 if some free square can still be the last one.
    i64 spare() const { return !is_closed && walks.last[i] < 0; }

    // Number of free neighbours, including the first square of a closed tour.
    i64 ways_of(i64 square) const { return degree[square] + field.near_root[square]; }

    // Whether the walk is lost. When it leaves its head, a free neighbour of the head with only one more neighbour is
    // *tight*: it must be visited next, or last.
    bool is_lost() {
        i64 tight = 0;
        for (i64 k = low; k < high && left > 1; k++) {
            const i64 s = field.targets[k];
            if (!free[s]) continue;
            if (ways_of(s) == 0) return true;
            tight += ways_of(s) == 1 && s != walks.last[i];
        }
        only_tight = tight > spare();
        return tight > 1 + spare();
    }

    // Whether the walk can continue to a neighbour of its head without an immediate dead end.
    bool may_be_next(i64 s) const {
        if (!free[s]) return false;
        if (left == 1) return !is_closed || field.near_root[s];
        if (degree[s] == 0 || s == walks.last[i]) return false;
        // The last access to the first square must stay free.
        if (is_closed && field.near_root[s] && walks.roots[i] == 1) return false;
        return !only_tight || ways_of(s) == 1;
    }

    double total() const {
        double sum = 0.0;
        for (i64 k = low; k < high; k++)
            if (may_be_next(field.targets[k])) sum += field.liking[degree[field.targets[k]]];
        return sum;
    }

    // Draw a square by preference; rounding errors select the last one.
    i64 choose(double all) const {
        field.random[0] = next_random(field.random[0]);
        double rest = all * (double(field.random[0]) / 4294967296.0);
        i64 chosen = -1;
        for (i64 k = low; k < high; k++) {
            const i64 s = field.targets[k];
            if (!may_be_next(s)) continue;
            chosen = s;
            rest -= field.liking[degree[s]];
            if (rest < 0.0) break;
        }
        return chosen;
    }

    void go_to(i64 square) {
        if (spare() && left > 1)
            for (i64 k = low; k < high; k++) {
                const i64 s = field.targets[k];
                if (free[s] && s != square && degree[s] == 1) walks.last[i] = s;
            }
        free[square] = 0;
        walks.head[i] = square;
        walks.hope[i] -= field.promise[degree[square]];
        walks.roots[i] -= field.near_root[square];
        for (i64 k = field.offsets[square]; k < field.offsets[square + 1]; k++) {
            const i64 s = field.targets[k];
            if (!free[s]) continue;
            walks.hope[i] += field.promise[degree[s] - 1] - field.promise[degree[s]];
            degree[s]--;
        }
    }
};

// Advance the walks first ... last-1 by one step.
i64 estimate_advance(Field field, Walks walks, Choices choices, i64 is_closed, i64 left, i64 first, i64 last) {
    for (i64 i = first; i < last; i++) {
        choices.total[i] = 1.0;
        choices.degree[i] = 0;
        if (walks.log_weight[i] == DEAD) continue;
        Walk walk(field, walks, i, left, is_closed);
        const double total = walk.is_lost() ? 0.0 : walk.total();
        if (total == 0.0) {
            walks.log_weight[i] = DEAD;
            continue;
        }
        const i64 chosen = walk.choose(total);
        choices.total[i] = total;
        choices.degree[i] = walk.degree[chosen];
        walk.go_to(chosen);
    }
    return 0;
}

}  // namespace

EXPORT_KERNEL(estimate_advance)
