// The merging method: the loops of a cover (covering.h) are joined until one remains (joining.h), with repairs in
// between. See core/search/merging.py for the arrays.
#include "joining.h"

namespace {

// Usual maximum distance for following a loop to see whether it closes.
constexpr i64 NEAR = 500;
// Limits per call, since nodes of some phases are slow.
constexpr i64 MOST_NODES = 1 << 17, MOST_WALKED = 1 << 22;

// Effect of a trail on loops: the number of loops at its squares before, and whether two of the current ones are too
// long to be followed.
struct Change {
    i64 length;          // squares of the trail
    i64 loops_before;    // their labels are at the beginning of `queue`
    i64 squares_before;  // of all these loops
    i64 largest;         // the label of the largest
    i64 farthest = 0;    // maximum distance of walks along loops
    i64 loops_now = 0;
    i64 far = -1;  // a square of the trail on a longer loop, and the number of such loops
    i64 far_count = 0;
};

struct Search : Joining {
    i64 walked = 0;  // squares visited in this call, for slow nodes

    using Joining::Joining;

    // Phase SWEEP: try every square in turn, until nothing can be joined any more.
    void sweep(i64 limit) {
        while (now.components > 1) {
            while (now.cursor < now.count && now.components > 1) {
                if (now.nodes >= limit) return;
                now.nodes++;
                const i64 a = squares[now.cursor++];
                // A merge is visible from both sides, except at a free end, so the largest loop need not be examined.
                if (is_largest(loop_of(a)) && a != before[now.joker] && a != after[now.joker]) continue;
                if (now.is_first)
                    try_parallel(a);
                else
                    try_merge(a);
            }
            now.cursor = 0;
            if (now.merged == 0 && !now.is_first) break;
            now.merged = 0;
            now.is_first = 0;
        }
        now.cursor = 0;
        if (now.components == 1)
            now.phase = WRITE;
        else
            begin_repair();
    }

    void begin_repair() {
        now.stuck++;
        now.phase = REPAIR;
        now.components = relabel_all();
        now.listed = 0;
        now.fewest = now.components;
        now.kicks_since = 0;
        now.focus = squares[0];
    }

    // Number all loops again; return their number.
    i64 relabel_all() {
        for (i32 &its : label) its = -1;
        i64 fresh = 0;
        for (const i64 s : squares) {
            if (label[s] >= 0) continue;
            loops[fresh] = i32(links.relabel(label, s, fresh));
            fresh++;
        }
        // Remains of an earlier cover: labels without squares must be free.
        for (i64 spare = fresh; spare < now.count; spare++) loops[spare] = 0;
        return fresh;
    }

    // ------------------------------------------------------------ repair

    // The former loops at the squares of a trail, each once in `queue`.
    Change loops_there_were(i64 length) {
        Change change = {length, 0, 0, label[via[0]]};
        for (i64 i = 0; i < length; i++) {
            const i32 its = label[via[i]];
            bool is_new = true;
            for (i64 j = 0; j < change.loops_before; j++) is_new &= queue[j] != its;
            if (!is_new) continue;
            queue[change.loops_before++] = its;
            change.squares_before += loops[its];
            if (loops[its] > loops[change.largest]) change.largest = its;
        }
        return change;
    }

    // Maximum distance for following loops: rarely large, and increasingly rarely larger. Every change thus stays
    // possible, and the average distance is short. x: a random number, whose bits are consumed.
    i64 farthest_walk(i64 &x) const {
        const i64 bits = is_large() ? 3 : 1, seldom = (1 << bits) - 1;
        i64 farthest = NEAR;
        for (; (x & seldom) == seldom && farthest <= now.count; x >>= bits) farthest *= 2;
        return farthest;
    }

    // Walk along a loop from a square of the trail to one side, marking as `mark` the squares marked mark - 1, until it
    // closes or `farthest` steps after the last such square. Returns the number of steps, 0 if it did not close. If its
    // >= 0, the squares get that label.
    i64 trace(i64 first, bool is_back, i64 mark, i64 farthest, i64 its) {
        i64 s = first, going = is_back ? before[s] : after[s];
        i64 steps = 0;
        for (i64 since = 0; since < farthest; since++) {
            if (reached[s] >= mark - 1) {
                reached[s] = mark;
                since = 0;
            }
            if (its >= 0) label[s] = i32(its);
            const i64 came = s;
            s = going;
            going = links.next(s, came);
            steps++;
            if (s == first) return steps;
        }
        return 0;
    }

    // Trace to one side and, if that did not close, to the other.
    i64 trace_sides(i64 first, i64 mark, i64 farthest, i64 its) {
        i64 steps = 0;
        for (i64 side = 0; side < 2 && steps == 0; side++) {
            steps = trace(first, side == 1, mark, farthest, its);
            walked += steps > 0 ? steps : farthest;
        }
        return steps;
    }

    // Mark the squares of a trail as unvisited; return the mark of visited ones.
    i64 mark_trail(i64 length) {
        now.searches += 2;
        for (const i32 s : via.part(0, length)) reached[s] = now.searches - 1;
        return now.searches;
    }

    // Count the current loops at the squares of a trail.
    void count_loops(Change &change) {
        const i64 mark = mark_trail(change.length);
        for (const i32 s : via.part(0, change.length)) {
            if (reached[s] == mark) continue;
            change.loops_now++;
            if (trace_sides(s, mark, change.farthest, -1) > 0) continue;
            change.far = s;
            change.far_count++;
        }
    }

    // Label the loops at the squares of a trail; a loop that is too long to be followed is the rest of the largest.
    void label_loops(const Change &change) {
        const i64 largest = change.largest, mark = mark_trail(change.length);
        for (i64 j = 0; j < change.loops_before; j++) loops[queue[j]] = 0;
        if (change.far >= 0) loops[largest] = i32(change.squares_before);
        for (const i32 s : via.part(0, change.length)) {
            if (reached[s] == mark) continue;
            const i64 its = s == change.far ? largest : free_label(change.loops_before);
            const i64 steps = trace_sides(s, mark, change.farthest, its);
            if (s == change.far) continue;
            loops[its] = i32(steps);
            if (change.far >= 0) loops[largest] -= i32(steps);
        }
    }

    // Change links by a random trail, if that adds no loops; occasionally if it adds one.
    //
    // Only the squares of the trail and the nearby part of their loops are examined; if that does not determine the
    // number of loops, the change is undone. Returns the number of squares of the trail, 0 if nothing changed.
    i64 kick(i64 first) {
        const i64 length = trail(first);
        if (length == 0) return 0;
        Change change = loops_there_were(length);
        i64 x = draw();
        change.farthest = farthest_walk(x);
        count_loops(change);
        const i64 more = change.loops_now - change.loops_before;
        if (change.far_count > 1 || more > 1 || (more > 0 && (x & 14) != 0)) {
            links.unlink(via[length - 1], first);
            links.unlink(first, via[length - 1]);
            undo_trail(length);
            return 0;
        }
        label_loops(change);
        now.repairs++;
        now.components += more;
        return length;
    }

    // An unused label, if possible a label freed by the trail.
    i64 free_label(i64 loops_before) {
        for (i64 j = 0; j < loops_before; j++)
            if (loops[queue[j]] == 0) return queue[j];
        while (loops[now.fresh] > 0) now.fresh = (now.fresh + 1) % now.count;
        return now.fresh;
    }

    // The next square of a small loop, in rotation. The largest loop, which has nearly all squares, is not examined.
    //
    // Small loops are listed in `queue` after the labels of `kick`; squares of loops that were joined since are
    // skipped.
    i64 next_listed() {
        while (true) {
            if (now.listed == 0) list_small();
            const Array<i32> list = queue.part(LONGEST_TRAIL, now.listed);
            const i64 s = list[now.cursor];
            if (!is_largest(label[s])) {
                now.cursor = (now.cursor + 1) % now.listed;
                return s;
            }
            list[now.cursor] = list[--now.listed];
            if (now.cursor == now.listed) now.cursor = 0;
        }
    }

    void list_small() {
        for (const i32 s : squares)
            if (!is_largest(label[s])) queue[LONGEST_TRAIL + now.listed++] = s;
        walked += now.count;
        now.cursor = 0;
    }

    // A random square of a small loop.
    i64 square_of_small(i64 x) {
        if (is_large()) return next_listed();
        i64 i = (x >> 6) % now.count;
        while (is_largest(label[squares[i]])) i = (i + 1) % now.count;
        return squares[i];
    }

    // Whether there were too many kicks since the minimum number of loops was reached.
    bool loses_patience() {
        if (now.components < now.fewest) {
            now.fewest = now.components;
            now.kicks_since = 0;
        }
        now.kicks_since++;
        return now.kicks_since > now.patience;
    }

    // Phase REPAIR: if nothing can be joined, change links at random near the small loops until a join is possible.
    void repair(i64 limit) {
        while (now.components > 1) {
            if (now.nodes >= limit || walked >= MOST_WALKED) return;
            now.nodes++;
            if (loses_patience()) {
                now.restarts++;
                now.phase = COVER;
                now.cursor = 0;
                return;
            }
            const i64 x = draw();
            if (x % 64 == 0 || is_largest(label[now.focus])) now.focus = square_of_small(x);
            repair_near(now.focus, x);
        }
        now.phase = WRITE;
    }

    // Try to join loops near a square, else change links there.
    void repair_near(i64 s, i64 x) {
        if (now.end == ANY && (x >> 8) % 4 == 0) {
            // Moving a free end is useful: it can join any loop next to it.
            s = now.joker;
        } else {
            for (i64 left = (x >> 10) % 4; left > 0; left--)
                if (near(s).size > 0) s = near(s)[(draw() >> 4) % near(s).size];
            if (try_merge(s)) return;
        }
        for (const i32 t : via.part(0, kick(s)))
            if (t != now.joker) try_merge(t);
    }

    // ------------------------------------------------------------ the tour

    // Phase WRITE: write the squares in order. FOUND, or RUNNING if they will be cut into pairs.
    Status write() {
        i64 came = now.start == NONE ? before[squares[0]] : now.joker;
        i64 s = now.start == NONE ? squares[0] : after[now.joker];
        for (i32 &its : tour) {
            its = i32(s);
            const i64 going = links.next(s, came);
            came = s;
            s = going;
        }
        if (now.rounds == 0) return FOUND;
        now.rounds--;
        now.has_tour = 1;
        now.cursor = 0;
        now.phase = COVER;
        return RUNNING;
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + (nodes < MOST_NODES ? nodes : MOST_NODES);
        while (now.nodes < limit && walked < MOST_WALKED) {
            switch (Phase(now.phase)) {
                case COVER:
                    cover(limit);
                    break;
                case ENDS:
                    open_ends();
                    break;
                case MATCH:
                    if (match(limit) == EXHAUSTED) return EXHAUSTED;
                    break;
                case LABEL:
                    close_and_label();
                    return RUNNING;  // so that the caller can read the cover before it changes
                case SWEEP:
                    sweep(limit);
                    break;
                case REPAIR:
                    repair(limit);
                    break;
                case WRITE:
                    if (write() == FOUND) return FOUND;
            }
        }
        return RUNNING;
    }
};

// Continue for about `nodes` examined squares. EXHAUSTED: no cover exists, hence no tour.
i64 merging_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(merging_step)
