// The rotation method. See core/search/rotation.py for the arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, FOUND };
// Special values of the end, instead of the last square; ANY also of the start.
constexpr i64 CLOSED = -2, ANY = -1;
// Maximum number of swaps per node before a call returns: on large boards a rotation costs as much as thousands of
// extensions.
constexpr i64 SWAPS_PER_NODE = 30;
constexpr i64 LONGEST_TRY = i64(1) << 50;
// A path on a large board is abandoned after this fraction (2 to the minus TRAPPED) of an attempt if it has not reached
// half its length: its end may be trapped among a few squares whose rotations cost hardly anything.
constexpr i64 TRAPPED = 2;
// Longer paths rarely reverse larger parts.
constexpr i64 NEAR = 10000;
// Random rotations of a stuck end before it is guided: with many free squares they suffice, and need no distances.
constexpr i64 UNLED = 8;
// Rotations without progress until guidance ends; then the path may be blocked, and rotations are random again.
constexpr i64 LED = 16, STRAYING = 64;
// Reciprocal of the fraction of rotations that are always random.
constexpr i64 LED_NOISE = 8;
// Upper bound on the random walk before a free start.
constexpr i64 LONGEST_WALK = 16;
constexpr i64 FAR = i64(1) << 40;

// stuck_at: the length at which the end was last stuck. idle: rotations since the end last approached the goal.
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

struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 last() const { return path[now.length - 1]; }
    i64 degree(i64 x) const { return offsets[x + 1] - offsets[x]; }
    bool is_full() const { return now.length == now.count; }
    i64 draw() { return now.random = next_random(now.random); }

    // ---------------------------------------------------------------- start

    // Any square is suitable: a random walk from the last start avoids holes.
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

    // Whether too many nodes did not lengthen the path before it has half its length.
    bool is_trapped() const {
        return distance.size > 0 && now.length * 2 < now.count &&
               now.since_restart - now.length > now.restart_after >> TRAPPED;
    }

    void restart() {
        now.restarts++;
        // Attempts grow slowly, within 63 bits, since a hard board may need long ones.
        if (now.restart_after < LONGEST_TRY) now.restart_after += now.restart_after >> 3;
        if (now.start >= 0 && now.end >= 0) {
            // With two given ends, the search alternates between them.
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

    // A next square by Warnsdorff's rule, or occasionally any allowed one; or -1.
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

    // ---------------------------------------------------------------- rotation

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

    // Queue the squares of the path that are one move from an allowed square or, if all are visited, from the start.
    // Returns their number.
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

    // Compute distance[], the distance of each square from an allowed one or, if all are visited, from the start.
    //
    // Only the minimum odd number of moves matters: a rotation moves the end by two moves, and one more move enters the
    // square. Squares more than two moves farther than the end stay FAR. Returns the number of examined squares. The
    // work is
    // not interrupted: 30 ms for a million squares.
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

    // Whether to guide the stuck end this time.
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

    // Whether the path can be rotated at a step; -1 is invalid, and the last move changes nothing.
    bool can_turn(i64 step) const { return step >= 0 && step < now.length - 2; }

    // The rotation whose new end is closest to the goal; -1 without a possible rotation.
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

    // The maximum part of a path to reverse, this time. In long paths it is rarely large, to limit the time.
    i64 draw_farthest() {
        if (now.length <= NEAR) return now.length;
        i64 farthest = NEAR;
        for (i64 bits = draw(); (bits & 1) == 1 && farthest < now.length; bits >>= 1) farthest *= 2;
        return farthest;
    }

    // A rotation that closes the tour, else a random one; -1 without a possible rotation.
    i64 turn_anywhere() {
        const i64 here = last(), farthest = draw_farthest();
        i64 at = -1, ties = 0, nearest = -1;
        for (i64 k = offsets[here]; k < offsets[here + 1]; k++) {
            const i64 step = position[targets[k]];
            if (!can_turn(step)) continue;
            const i64 next = path[step + 1];
            if (now.end == CLOSED && is_full() && near_start[next]) return step;
            // On a long path, an end that can be extended is accepted at any distance.
            if (now.length > NEAR && !is_full() && free[next] > 0) return step;
            if (step > nearest) nearest = step;
            if (now.length - step > farthest) continue;
            if (draw() % ++ties == 0) at = step;
        }
        return at < 0 ? nearest : at;
    }

    // Rotate the end, or abandon the path. Returns the work, in swaps.
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
        i64 swaps_left = nodes * SWAPS_PER_NODE;
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

// Continue for at most `nodes` extensions and rotations. RUNNING or FOUND; the search never ends without a tour.
i64 rotation_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(rotation_step)
