// The rotation method. See core/search/rotation.py for the arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
// As the end, beside the square that must come last; ANY as the start too.
constexpr i64 CLOSED = -2, ANY = -1;
// Swaps a node after which a call also gives back control: on big boards a rotation costs thousands of extensions.
constexpr i64 SWAPS_A_NODE = 30;
constexpr i64 LONGEST_TRY = i64(1) << 50;
// A path on a large board that was rotated this often before it reached half its length, as a fraction (2 to the minus
// this) of a whole attempt, is abandoned: its end may be in a place where only a few squares can be rotated, forever
// and at hardly any cost.
constexpr i64 TRAPPED = 2;
// Longer paths are seldom turned round in larger parts than this.
constexpr i64 NEAR = 10000;
// Number of random rotations of a stuck end before it is guided: with many free squares they are enough, and cheaper
// than computing distances.
constexpr i64 UNLED = 8;
// It is guided until this many rotations have brought no progress; then, since the path may be blocked, it is random
// again.
constexpr i64 LED = 16, STRAYING = 64;
// One rotation in this many is always random.
constexpr i64 LED_NOISE = 8;
// A path that begins anywhere does so after a random walk of fewer moves than this.
constexpr i64 LONGEST_WALK = 16;
constexpr i64 FAR = i64(1) << 40;

// stuck_at: the length at which the end was last stuck. idle: rotations since the end last came closer to the goal.
struct Counters {
    using Item = i64;
    i64 nodes, random, length, count, start, end, since_restart, restart_after, restarts, rotations, noise, swapped;
    i64 stuck_at, is_known, idle, nearest;
};

struct State {
    Array<Counters> counters;
    Array<const i64> offsets, targets;
    Array<i64> path, position, free;
    Array<bool> near_start;
    Array<i64> distance, queue;
};

// The search: its members are its state, its methods its operations.
struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 last() const { return path[now.length - 1]; }
    i64 degree(i64 x) const { return offsets[x + 1] - offsets[x]; }
    bool is_full() const { return now.length == now.count; }
    i64 draw() { return now.random = next_random(now.random); }

    // ---------------------------------------------------------------- beginning

    // Any square will do: a random walk from the last first square never meets a hole.
    i64 walk_to_start() {
        i64 x = path[0];
        for (i64 moves = draw() % LONGEST_WALK; moves > 0; moves--)
            if (degree(x) > 0) x = targets[offsets[x] + draw() % degree(x)];
        return x == now.end ? targets[offsets[x]] : x;
    }

    // An empty path, then its first square.
    void begin() {
        for (i64 x = 0; x < position.size; x++) {
            position[x] = -1;
            near_start[x] = false;
            free[x] = degree(x);
        }
        const i64 first = now.start >= 0 ? now.start : walk_to_start();
        now.length = 0;
        put(first);
        for (i64 k = offsets[first]; k < offsets[first + 1]; k++) near_start[targets[k]] = true;
        now.since_restart = 0;
        now.stuck_at = 0;
    }

    // Nodes that did not lengthen the path, before it is half as long as it shall be: it may be in a trap.
    bool is_trapped() const {
        return distance.size > 0 && now.length * 2 < now.count &&
               now.since_restart - now.length > now.restart_after >> TRAPPED;
    }

    void restart() {
        now.restarts++;
        // Luck mostly decides soon; but a hard board gets ever longer tries, within 63 bits.
        if (now.restart_after < LONGEST_TRY) now.restart_after += now.restart_after >> 3;
        if (now.start >= 0 && now.end >= 0) {
            // A tour between two squares is looked for from both sides in turn.
            const i64 start = now.start;
            now.start = now.end;
            now.end = start;
            now.swapped = 1 - now.swapped;
        }
    }

    // ---------------------------------------------------------------- growing

    void put(i64 x) {
        path[now.length] = x;
        position[x] = now.length;
        now.length++;
        for (i64 k = offsets[x]; k < offsets[x + 1]; k++) free[targets[k]]--;
    }

    bool may_enter(i64 x) const { return position[x] < 0 && (x != now.end || now.length == now.count - 1); }

    // One of the next squares by Warnsdorff's rule, or occasionally of all allowed ones; or -1.
    i64 choose_next() {
        const i64 here = last(), is_noisy = now.noise > 0 && now.random % now.noise == 0;
        i64 chosen = -1, fewest = FAR, ties = 0;
        for (i64 k = offsets[here]; k < offsets[here + 1]; k++) {
            const i64 x = targets[k];
            if (!may_enter(x)) continue;
            const i64 rank = is_noisy ? 0 : free[x];
            if (rank > fewest) continue;
            if (rank < fewest) ties = 0;
            fewest = rank;
            ties++;
            if (ties == 1 || draw() % ties == 0) chosen = x;
        }
        return chosen;
    }

    bool is_tour() const {
        if (!is_full()) return false;
        // Two squares with a move between them are not a closed tour.
        return now.end == ANY || last() == now.end || (now.end == CLOSED && now.length > 2 && near_start[last()]);
    }

    // ---------------------------------------------------------------- turning

    // Rotate at path[at]: reverse path[at + 1 ..].
    void reverse_after(i64 at) {
        i64 i = at + 1, j = now.length - 1;
        for (; i < j; i++, j--) {
            const i64 a = path[i], b = path[j];
            path[i] = b;
            path[j] = a;
            position[b] = i;
            position[a] = j;
        }
        now.rotations++;
    }

    void found_at(i64 x, i64 moves, i64 &count) {
        distance[x] = moves;
        queue[count++] = x;
    }

    // Put into the queue the squares of the path that are one move from an allowed square, or if none is free from the
    // start. Returns their number.
    i64 look_for_nearest() {
        i64 count = 0;
        if (is_full()) {
            for (i64 k = offsets[path[0]]; k < offsets[path[0] + 1]; k++) found_at(targets[k], 1, count);
            return count;
        }
        for (i64 x = 0; x < position.size; x++) {
            if (!may_enter(x)) continue;
            for (i64 k = offsets[x]; k < offsets[x + 1]; k++)
                if (position[targets[k]] >= 0 && distance[targets[k]] == FAR) found_at(targets[k], 1, count);
        }
        return count;
    }

    // Fill distance[]: the distance of each square from an allowed one, or, if none is free, from the start.
    //
    // Only the minimum odd number of moves is useful: a rotation moves the end by two moves, and one more move enters
    // the square. Squares more than two moves farther than the end stay FAR. Returns the number of examined squares.
    // The work is not interrupted: 30 ms for a million squares.
    i64 look_around() {
        for (i64 &moves : distance) moves = FAR;
        i64 count = look_for_nearest(), done = 0, farthest = FAR;
        while (done < count && distance[queue[done]] < farthest) {
            const i64 x = queue[done++];
            if (x == last()) farthest = distance[x] + 2;
            for (i64 k = offsets[x]; k < offsets[x + 1]; k++) {
                const i64 y = targets[k];
                if (position[y] < 0) continue;
                for (i64 m = offsets[y]; m < offsets[y + 1]; m++) {
                    const i64 z = targets[m];
                    if (position[z] >= 0 && distance[z] == FAR) found_at(z, distance[x] + 2, count);
                }
            }
        }
        return distance.size + 8 * done;
    }

    // Whether the end, stuck again, is to be guided this time.
    bool is_led() {
        if (now.stuck_at != now.length) {
            now.stuck_at = now.length;
            now.is_known = 0;
            now.idle = LED + STRAYING - UNLED;
        }
        now.idle++;
        if (now.idle > LED + STRAYING) {
            now.idle = 1;
            now.nearest = FAR;
            if (distance[last()] == FAR) now.is_known = 0;
        }
        return now.idle <= LED && (draw() >> 8) % LED_NOISE != 0;
    }

    // Whether the path can be rotated at a step: -1 is none, and the end's own move changes nothing.
    bool can_turn(i64 step) const { return step >= 0 && step < now.length - 2; }

    // Where to rotate the end so that the new one is closest to the goal; -1 if it cannot be rotated.
    i64 turn_nearer() {
        const i64 here = last();
        if (distance[here] < now.nearest) {
            now.nearest = distance[here];
            now.idle = 1;
        }
        i64 at = -1, ties = 0, fewest = FAR + 1;
        for (i64 k = offsets[here]; k < offsets[here + 1]; k++) {
            const i64 step = position[targets[k]];
            if (!can_turn(step)) continue;
            const i64 moves = distance[path[step + 1]];
            if (moves > fewest) continue;
            if (moves < fewest) ties = 0;
            fewest = moves;
            ties++;
            if (ties == 1 || draw() % ties == 0) at = step;
        }
        return at;
    }

    // The maximum part of a path to reverse, this time.
    //
    // For a long path it is rarely large, and increasingly rarely larger: otherwise most of the time would go into long
    // reversals.
    i64 draw_farthest() {
        if (now.length <= NEAR) return now.length;
        i64 farthest = NEAR;
        for (i64 bits = draw(); (bits & 1) == 1 && farthest < now.length; bits >>= 1) farthest *= 2;
        return farthest;
    }

    // Where to rotate the end: to one that closes the tour, else at random; -1 if it cannot be rotated.
    i64 turn_anywhere() {
        const i64 here = last(), farthest = draw_farthest();
        i64 at = -1, ties = 0, nearest = -1;
        for (i64 k = offsets[here]; k < offsets[here + 1]; k++) {
            const i64 step = position[targets[k]];
            if (!can_turn(step)) continue;
            const i64 next = path[step + 1];
            if (now.end == CLOSED && is_full() && near_start[next]) return step;
            // On a long path an end that can continue is used at any distance.
            if (now.length > NEAR && !is_full() && free[next] > 0) return step;
            if (step > nearest) nearest = step;
            if (now.length - step > farthest) continue;
            if (draw() % ++ties == 0) at = step;
        }
        return at < 0 ? nearest : at;
    }

    // Turn the end round, or see to it that the path is given up. Returns how much work it was, in swaps.
    i64 turn() {
        i64 at = -1, work = 0;
        if (distance.size > 0 && is_led()) {
            if (!now.is_known) {
                now.is_known = 1;
                work += look_around();
            }
            at = turn_nearer();
        }
        if (at < 0) at = turn_anywhere();
        if (at < 0) {
            now.since_restart = now.restart_after;
            return work;
        }
        reverse_after(at);
        return work + (now.length - 1 - at) / 2;
    }

    Status step(i64 nodes) {
        const i64 limit = now.nodes + nodes;
        i64 swaps_left = nodes * SWAPS_A_NODE;
        while (now.nodes < limit && swaps_left > 0) {
            if (now.length == 0 || now.since_restart >= now.restart_after || is_trapped()) {
                if (now.length > 0) restart();
                begin();
            }
            now.nodes++;
            now.since_restart++;
            if (is_tour()) return FOUND;
            draw();
            const i64 next = is_full() ? -1 : choose_next();
            if (next >= 0)
                put(next);
            else
                swaps_left -= turn();
        }
        return RUNNING;
    }
};

// Continue for at most `nodes` extensions and rotations. RUNNING or FOUND; it never gives up on its own.
i64 rotation_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

DOOR(rotation_step)
