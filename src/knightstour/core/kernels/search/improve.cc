// Simulated annealing over covers by loops. See lab/objectives/covers.py for the arrays.
#include "../random.h"

namespace {

enum Status : i64 { RUNNING, DONE };
// Computation of the number of a cover.
enum Kind : i64 { ADDED, UNCROSSED, COMMONEST, ROUND, LONGEST, MOST_PASSED, NEVER_PASSED };
constexpr i64 NO_COST = i64(1) << 40;
// As a direction: a link that is not a single move; and no link at all.
constexpr i64 NO_DIRECTION = -1, NO_MOVE = -2;

struct Counters {
    using Item = i64;
    i64 nodes, random, count, loops, cost, best, sign, kind, penalty, levels, width, total, taken, goal, crossing;
    i64 has_corners, divisor, powers, removed, made, mark, value, directions;
};

// A link that a step removes or adds: its slots at both ends, and the direction of a removed one.
struct Logged {
    using Item = i64;
    i64 slot, back, code;
};

struct State {
    Array<Counters> counters;
    Array<const i64> odds, offsets, targets, codes;
    Array<i64> links, directions;
    Array<const bool> frozen;
    Array<i64> best_links;
    Array<const i64> at, place, crossed_from, crossed_place, crossed_code, over_from, over_place, move_cost;
    Array<const i64> corner_cost, images;
    Array<Logged> log;
    Array<i64> trail, seen, passes, slopes;
};

i64 opposite(i64 code) { return code >= 0 ? code ^ 1 : code; }
i64 most_of(i64 a, i64 b) { return a > b ? a : b; }
i64 least_of(i64 a, i64 b) { return a < b ? a : b; }

struct Search : State {
    Counters &now;

    explicit Search(const State &state) : State(state), now(counters[0]) {}

    i64 draw() { return now.random = next_random(now.random); }
    i64 degree(i64 v) const { return offsets[v + 1] - offsets[v]; }

    // ---------------------------------------------------------------- links

    bool is_linked(i64 v, i64 w) const { return links[2 * v] == w || links[2 * v + 1] == w; }

    // The slot of v by which a walk continues that arrived along the link of another slot.
    i64 slot_after(i64 slot) const {
        const i64 before = slot >> 1, v = links[slot];
        // If both links of v lead there, the walk continues by the other one.
        if (links[2 * v] == before && links[2 * v + 1] == before) return 2 * v + 1 - (slot & 1);
        return links[2 * v] == before ? 2 * v + 1 : 2 * v;
    }

    // The direction of the move from v to w, or NO_MOVE.
    i64 code_of(i64 v, i64 w) const {
        const bool is_back = degree(v) > degree(w);
        const i64 from = is_back ? w : v, to = is_back ? v : w;
        for (i64 k = offsets[from]; k < offsets[from + 1]; k++)
            if (targets[k] == to) return is_back ? opposite(codes[k]) : codes[k];
        return NO_MOVE;
    }

    // Number of links that cross the one from v to w, which has this direction.
    i64 crossings_of(i64 v, i64 w, i64 code) const {
        if (code < 0) return 0;
        const i64 here = place[code & 1 ? w : v], down = code >> 1;  // seen from its upper end
        i64 found = 0;
        for (i64 i = crossed_from[down]; i < crossed_from[down + 1]; i++) {
            const i64 other = at[here + crossed_place[i]], wanted = crossed_code[i];
            found += other >= 0 && (directions[2 * other] == wanted || directions[2 * other + 1] == wanted);
        }
        return found;
    }

    // Contribution of a link to the sum over moves and crossings.
    i64 value_of_link(i64 v, i64 w, i64 code) const {
        if (code < 0) return 0;
        return move_cost[now.directions * v + code] + (now.crossing ? now.crossing * crossings_of(v, w, code) : 0);
    }

    i64 value_of_corner(i64 v) const {
        const i64 a = directions[2 * v], b = directions[2 * v + 1];
        return a >= 0 && b >= 0 ? corner_cost[now.directions * a + b] : 0;
    }

    // The unsigned sum over the moves of a loop.
    i64 round(i64 first) const {
        i64 total = 0, slot = 2 * first;
        do total += move_cost[now.directions * (slot >> 1) + directions[slot]];
        while ((slot = slot_after(slot)) >> 1 != first);
        return (total < 0 ? -total : total) / now.divisor;
    }

    // The longest line of a loop, in moves.
    i64 longest_line(i64 first) const {
        i64 longest = 0, run = 0, before_turn = 0, turns = 0, last = NO_DIRECTION, slot = 2 * first;
        do {
            const i64 code = directions[slot];
            const bool goes_on = code >= 0 && code == last;
            run = goes_on ? run + 1 : code >= 0;
            turns += !goes_on;
            last = code;
            // Until the first turn this is the end of the run that closes the loop.
            if (turns == 1) before_turn = run;
            longest = most_of(longest, run);
            slot = slot_after(slot);
        } while (slot >> 1 != first);
        const bool is_joined = last >= 0 && turns > 1 && last == directions[2 * first];
        return is_joined ? most_of(longest, run + before_turn) : longest;
    }

    // Follow and count all loops; now.value becomes their value, if required.
    i64 count_loops() {
        const i64 mark = ++now.mark;
        i64 loops = now.value = 0;
        for (i64 first = 0; first < now.count; first++) {
            if (seen[first] == mark) continue;
            loops++;
            for (i64 slot = 2 * first; seen[slot >> 1] != mark; slot = slot_after(slot)) seen[slot >> 1] = mark;
            if (now.kind == ROUND) now.value += round(first);
            if (now.kind == LONGEST) now.value = most_of(now.value, longest_line(first));
        }
        return loops;
    }

    // Call use(slot, code) for each link that is a move, at its upper end.
    template <class Use>
    void each_move(Use use) const {
        for (i64 slot = 0; slot < 2 * now.count; slot++) {
            const i64 code = directions[slot];
            if (code >= 0 && !(code & 1)) use(slot, code);
        }
    }

    // Count the links that pass over each place.
    void count_passes() {
        for (i64 &count : passes) count = 0;
        each_move([&](i64 slot, i64 code) {
            for (i64 k = over_from[code >> 1]; k < over_from[(code >> 1) + 1]; k++)
                passes[place[slot >> 1] + over_place[k]]++;
        });
    }

    i64 most_passed() {
        count_passes();
        i64 most = 0;
        for (i64 v = 0; v < now.count; v++)
            if (at[place[v]] == v) most = most_of(most, passes[place[v]]);
        return most;
    }

    // Number of vertices over which no link passes.
    i64 never_passed() {
        count_passes();
        i64 found = 0;
        for (i64 v = 0; v < now.count; v++) found += passes[place[v]] == 0 && at[place[v]] == v;
        return found;
    }

    i64 uncrossed() const {
        i64 found = 0;
        each_move([&](i64 slot, i64 code) { found += crossings_of(slot >> 1, links[slot], code) == 0; });
        return found;
    }

    i64 commonest() {
        i64 most = 0;
        for (i64 &count : slopes) count = 0;
        each_move([&](i64, i64 code) { most = most_of(most, ++slopes[code >> 1]); });
        return most;
    }

    // The sum over moves, corners and crossings.
    i64 sum() const {
        i64 total = 0, crossed = 0;
        each_move([&](i64 slot, i64 code) {
            total += move_cost[now.directions * (slot >> 1) + code];
            if (now.crossing) crossed += crossings_of(slot >> 1, links[slot], code);
        });
        if (now.has_corners)
            for (i64 v = 0; v < now.count; v++) total += value_of_corner(v);
        // Each crossing is counted twice.
        return total + now.crossing * crossed / 2;
    }

    // The value of the whole cover. If loops have values, `count_loops` has computed them.
    i64 value() {
        switch (now.kind) {
            case UNCROSSED:
                return uncrossed();
            case COMMONEST:
                return commonest();
            case MOST_PASSED:
                return most_passed();
            case NEVER_PASSED:
                return never_passed();
            case ADDED:
                return sum();
            default:
                return now.value;
        }
    }

    // Store the cover, if it is one loop and the cheapest so far.
    void keep_best() {
        if (now.loops != 1 || now.cost >= now.best) return;
        now.best = now.cost;
        for (i64 slot = 0; slot < 2 * now.count; slot++) best_links[slot] = links[slot];
    }

    // Compute loops and cost of the given cover.
    void begin() {
        now.loops = count_loops();
        now.cost = now.sign * value();
        keep_best();
    }

    // ---------------------------------------------------------------- a step

    Array<Logged> removed() const { return log.part(0, now.removed); }
    Array<Logged> made() const { return log.part(log.size / 2, now.made); }

    static bool has(Array<Logged> part, i64 v, i64 w) {
        for (const Logged &link : part) {
            const i64 a = link.slot >> 1, b = link.back >> 1;
            if ((a == v && b == w) || (a == w && b == v)) return true;
        }
        return false;
    }

    // The slot of v whose link leads to w and can be removed, or -1; the second of two.
    i64 loose_slot(i64 v, i64 w) const {
        for (i64 slot = 2 * v + 1; slot >= 2 * v; slot--)
            if (links[slot] == w && !frozen[slot]) return slot;
        return -1;
    }

    void set(i64 slot, i64 w, i64 code) {
        links[slot] = w;
        directions[slot] = code;
    }

    void unlink(const Logged &link) {
        set(link.slot, -1, NO_DIRECTION);
        set(link.back, -1, NO_DIRECTION);
    }

    // Remove the link v-w; return false if it does not exist or cannot be removed.
    bool take_away(i64 v, i64 w, i64 &change) {
        const i64 slot = loose_slot(v, w), back = loose_slot(w, v);
        if (slot < 0 || back < 0) return false;
        const i64 code = directions[slot];
        unlink(log[now.removed++] = {slot, back, code});
        change -= value_of_link(v, w, code);
        return true;
    }

    // Add the link v-w; return false if it is not a move, exists already, or one of them has no free slot.
    bool put_in(i64 v, i64 w, i64 &change) {
        const i64 code = code_of(v, w);
        if (code == NO_MOVE || is_linked(v, w) || !is_linked(v, -1) || !is_linked(w, -1)) return false;
        change += value_of_link(v, w, code);
        const i64 slot = links[2 * v] == -1 ? 2 * v : 2 * v + 1, back = links[2 * w] == -1 ? 2 * w : 2 * w + 1;
        log[log.size / 2 + now.made++] = {slot, back, code};
        set(slot, w, code);
        set(back, v, opposite(code));
        return true;
    }

    void take_back() {
        for (const Logged &link : made()) unlink(link);
        for (const Logged &link : removed()) {
            set(link.slot, link.back >> 1, link.code);
            set(link.back, link.slot >> 1, opposite(link.code));
        }
    }

    // Image of a vertex under a power of the symmetry; power 0 is the identity.
    i64 image_of(i64 v, i64 power) const { return power == 0 ? v : images[(power - 1) * now.count + v]; }

    // Contribution of the corners at the vertices of the trail and of its images.
    i64 corners_at(i64 length) {
        const i64 mark = ++now.mark;
        i64 total = 0;
        for (i64 power = 0; power <= now.powers; power++)
            for (i64 k = 0; k < length; k++) {
                const i64 v = image_of(trail[k], power);
                if (seen[v] != mark) total += value_of_corner(v);
                seen[v] = mark;
            }
        return total;
    }

    // Make the step of the trail with all its images: alternately a link is removed and one added, starting with a
    // removal.
    //
    // Returns the increase of the sum over moves, corners and crossings; NO_COST if the step is impossible, after which
    // a part of it must be undone.
    i64 make(i64 length) {
        now.removed = now.made = 0;
        i64 change = now.has_corners ? -corners_at(length) : 0;
        for (i64 power = 0; power <= now.powers; power++)
            for (i64 k = 0; k < length; k += 2) {
                const i64 v = image_of(trail[k], power), w = image_of(trail[k + 1], power);
                if (power > 0 && has(removed(), v, w)) continue;
                if (!take_away(v, w, change)) return NO_COST;
            }
        for (i64 power = 0; power <= now.powers; power++)
            for (i64 k = 1; k < length; k += 2) {
                const i64 v = image_of(trail[k], power), w = image_of(trail[(k + 1) % length], power);
                if (power > 0 && has(made(), v, w)) continue;
                if (!put_in(v, w, change)) return NO_COST;
            }
        // Overlapping images may remove more links than they add.
        if (now.made != now.removed) return NO_COST;
        return now.has_corners ? change + corners_at(length) : change;
    }

    // Draw a trail of vertices, whose first link is removed, whose second is added, and so on. Returns its length, or
    // 0.
    i64 draw_trail() {
        const i64 u = draw() % now.count, drawn = draw();
        if (degree(u) == 0) return 0;
        const i64 x = targets[offsets[u] + (drawn >> 2) % degree(u)];
        const i64 at_u = 2 * u + (drawn & 1), at_x = 2 * x + ((drawn >> 1) & 1);
        if (is_linked(u, x) || frozen[at_u] || frozen[at_x]) return 0;
        const i64 v = links[at_u], y = links[at_x];
        trail[0] = v;
        trail[1] = u;
        trail[2] = x;
        trail[3] = y;
        if (y != v && code_of(v, y) != NO_MOVE) return is_linked(v, y) ? 0 : 4;
        return draw_third(v, y);
    }

    // Draw the third link of a trail from v to y. Returns the length of the trail, or 0.
    i64 draw_third(i64 v, i64 y) {
        if (degree(y) == 0) return 0;
        const i64 drawn = draw();
        const i64 z = targets[offsets[y] + (drawn >> 2) % degree(y)], at_z = 2 * z + (drawn & 1), w = links[at_z];
        if (frozen[at_z] || w == v || code_of(v, w) == NO_MOVE || is_linked(y, z) || is_linked(v, w)) return 0;
        trail[4] = z;
        trail[5] = w;
        return 6;
    }

    // Whether to accept a step of this price, given its random number.
    bool is_taken(i64 price) const {
        if (price <= 0) return true;
        const i64 level = least_of(now.nodes * now.levels / now.total, now.levels - 1);
        return price < now.width && now.random < odds[level * now.width + price];
    }

    void try_step() {
        const i64 length = draw_trail();
        if (length == 0) return;
        i64 more = make(length);
        if (more >= NO_COST) return take_back();
        draw();
        more *= now.sign;
        // Loops are last, since they are expensive: they are counted only if some number of them would allow
        // acceptance.
        const i64 least = more - now.penalty * least_of(now.removed - 1, now.loops - 1);
        if (now.kind == ADDED && !is_taken(least)) return take_back();
        const i64 loops = count_loops();
        if (now.kind != ADDED) more = now.sign * value() - now.cost;
        if (!is_taken(more + now.penalty * (loops - now.loops))) return take_back();
        now.loops = loops;
        now.cost += more;
        now.taken++;
        keep_best();
    }

    Status step(i64 nodes) {
        if (now.loops == 0) begin();
        for (; nodes > 0; nodes--) {
            if (now.nodes >= now.total || now.best <= now.goal) return DONE;
            now.nodes++;
            try_step();
        }
        return RUNNING;
    }
};

i64 improve_step(State state, i64 nodes) { return Search(state).step(nodes); }

}  // namespace

EXPORT_KERNEL(improve_step)
