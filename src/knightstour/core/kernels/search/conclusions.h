// Consequences at one level of the search for numberings; see core/search/clues_state.py for the arrays.
#pragma once
#include "../bits.h"

namespace {

enum Why : i64 { NO_STEP = 1, NO_SQUARE, TWO_STEPS, FEW_MOVES, MANY_MOVES, LOOP, NO_MOVE, NO_ORDER };

// Knowledge at one level.
struct Level {
    Array<u64> time, alive, fixed;
    Array<i64> mate, size;
};

// Knowledge and conclusions.
struct Conclusions {
    Array<const i64> near, back;
    Array<u64> up, down;
    Array<i64> queue, waits;
    Array<const i64> named, apart;
    const i64 n;  // squares
    const bool is_closed;
    const i64 words = (n + 63) / 64, ways = near.size / n;
    const u64 last = bit_of(n - 1), all = last | (last - 1);  // in the last word: the last step, and all steps
    Level here = {};
    i64 why = 0, where = 0;  // the last contradiction, and its square or step
    i64 head = 0, queued = 0;

    Array<u64> times(i64 s) const { return here.time.part(s * words, words); }
    bool may_be_first(i64 s) const { return here.time[s * words] & 1; }
    bool may_be_last(i64 s) const { return here.time[(s + 1) * words - 1] & last; }
    bool may_be(i64 s, i64 t) const { return here.time[s * words + (t >> 6)] & bit_of(t); }
    // Remove step t of square s, or restore it.
    void flip(i64 s, i64 t) const { here.time[s * words + (t >> 6)] ^= bit_of(t); }
    u64 unsure(i64 s) const { return here.alive[s] & ~here.fixed[s]; }
    bool has_both(i64 s) const { return count_of(here.fixed[s]) == 2; }

    // Record a contradiction and its square or step.
    bool fail(Why what, i64 at) {
        why = what;
        where = at;
        return false;
    }

    // ------------------------------------------------------------ the queue

    // Put a square into the queue.
    void touch(i64 s) {
        if (waits[s]) return;
        waits[s] = 1;
        const i64 tail = head + queued++;
        queue[tail >= n ? tail - n : tail] = s;
    }

    i64 next_waiting() {
        const i64 s = queue[head];
        if (++head == n) head = 0;
        queued--;
        waits[s] = 0;
        return s;
    }

    void drop_queue() {
        head = queued = 0;
        for (i64 &wait : waits) wait = 0;
    }

    // ------------------------------------------------------------ steps

    // Compute `up` and `down` of a square from its steps.
    void shift(i64 s) {
        const Array<u64> its = times(s), ups = up.part(s * words, words), downs = down.part(s * words, words);
        u64 carry = is_closed && may_be_last(s);
        for (i64 w = 0; w < words; w++) {
            ups[w] = its[w] << 1 | carry;
            carry = its[w] >> 63;
            downs[w] = its[w] >> 1 | (w < words - 1 ? its[w + 1] << 63 : 0);
        }
        ups[words - 1] &= all;
        if (is_closed && may_be_first(s)) downs[words - 1] |= last;
    }

    void shift_all() {
        for (i64 s = 0; s < n; s++) shift(s);
    }

    // The steps of a square have changed: put its neighbours into the queue.
    void spread(i64 s) {
        shift(s);
        each_of(here.alive[s], [&](i64 k) { touch(near[s * ways + k]); });
    }

    // Square s is at step t, so exclude all other squares there.
    void claim(i64 s, i64 t) {
        for (i64 v = 0; v < n; v++) {
            if (v == s || !may_be(v, t)) continue;
            flip(v, t);
            touch(v);
            spread(v);
        }
    }

    // The steps of word w that the neighbours of a square allow for it.
    u64 allowed(i64 s, i64 w) const {
        const u64 begins = !is_closed && w == 0, ends = is_closed || w < words - 1 ? 0 : last;
        i64 one = -1, other = -1;
        each_of(here.fixed[s], [&](i64 k) {
            other = one;
            one = near[s * ways + k] * words + w;
        });
        if (other >= 0) return (up[one] & down[other]) | (down[one] & up[other]);
        // Steps after a step of at least one neighbour, and of two; before, likewise; between two steps of one
        // neighbour.
        u64 after = 0, after_two = 0, before = 0, before_two = 0, both = 0;
        each_of(unsure(s), [&](i64 k) {
            const i64 u = near[s * ways + k] * words + w;
            const u64 x = up[u], y = down[u];
            after_two |= after & x;
            after |= x;
            before_two |= before & y;
            before |= y;
            both |= x & y;
        });
        if (one >= 0) return (up[one] & (before | ends)) | (down[one] & (after | begins));
        return (after & before & (after_two | before_two | ~both)) | (begins & before) | (ends & after);
    }

    // Count the steps of a square; return their number.
    i64 add_steps(i64 s, const Array<i64> &counts) const {
        i64 count = 0;
        for (i64 w = 0; w < words; w++) {
            const u64 its = here.time[s * words + w];
            count += count_of(its);
            each_of(its, [&](i64 t) { counts[64 * w + t]++; });
        }
        return count;
    }

    // Number of steps of a square, and one of them, if any.
    i64 count_steps(i64 s, i64 &step) const {
        const Array<u64> its = times(s);
        i64 count = 0;
        for (i64 w = 0; w < words; w++) {
            if (!its[w]) continue;
            count += count_of(its[w]);
            step = 64 * w + lowest(its[w]);
        }
        return count;
    }

    // Remove the steps of a square that its neighbours exclude; return the number of remaining ones.
    i64 narrow(i64 s) {
        const Array<u64> its = times(s);
        bool has_changed = false;
        for (i64 w = 0; w < words; w++) {
            const u64 left = its[w] & allowed(s, w);
            has_changed |= left != its[w];
            its[w] = left;
        }
        i64 step = 0;
        const i64 count = count_steps(s, step);
        if (has_changed && count > 0) {
            if (count == 1) claim(s, step);
            spread(s);
        }
        return count;
    }

    // ------------------------------------------------------------ moves

    // Exclude move k of a square.
    void kill(i64 s, i64 k) {
        const i64 move = s * ways + k, u = near[move];
        here.alive[s] &= ~bit_of(k);
        here.alive[u] &= ~bit_of(back[move]);
        touch(s);
        touch(u);
    }

    // Before all conclusions: exclude move k of a square, or make it certain; return false on a contradiction.
    bool lay_down(i64 s, i64 k, bool is_wanted) {
        const bool is_open = here.alive[s] & bit_of(k);
        if (is_wanted) return is_open ? fix(s, k) : fail(NO_MOVE, s);
        if (is_open) kill(s, k);
        return true;
    }

    // Make move k of a square certain; return false on a contradiction.
    bool fix(i64 s, i64 k) {
        const i64 move = s * ways + k, u = near[move];
        if (here.fixed[s] & bit_of(k)) return true;
        if (has_both(s)) return fail(MANY_MOVES, s);
        if (has_both(u)) return fail(MANY_MOVES, u);
        const bool closes = here.mate[s] == u;
        if (closes && !(is_closed && here.size[s] == n)) return fail(LOOP, s);
        here.fixed[s] |= bit_of(k);
        here.fixed[u] |= bit_of(back[move]);
        touch(s);
        touch(u);
        if (!closes) join(s, u);
        return true;
    }

    // Join the chains that end in two squares, after a certain move between them.
    void join(i64 s, i64 u) {
        const i64 a = here.mate[s], b = here.mate[u], total = here.size[a] + here.size[b];
        here.mate[a] = b;
        here.mate[b] = a;
        here.size[a] = here.size[b] = total;
        if (has_both(s)) each_of(unsure(s), [&](i64 k) { kill(s, k); });
        if (has_both(u)) each_of(unsure(u), [&](i64 k) { kill(u, k); });
        // The ends of a chain are not joined while squares are missing.
        if (is_closed && total == n) return;
        each_of(unsure(a), [&](i64 k) {
            if (near[a * ways + k] == b) kill(a, k);
        });
    }

    // Exclude the moves of a square that contradict the steps of their ends; return false if one of them is certain.
    // Then make the only move forwards, or the only move backwards, of a square at a known step certain.
    bool look_at_moves(i64 s, bool is_known) {
        const Array<u64> its = times(s);
        i64 ways_on = 0, ways_back = 0, on = 0, back_by = 0;
        for (u64 left = here.alive[s]; left; left &= left - 1) {
            const i64 k = lowest(left), u = near[s * ways + k] * words;
            u64 comes = 0, goes = 0;
            for (i64 w = 0; w < words; w++) {
                comes |= up[u + w] & its[w];
                goes |= down[u + w] & its[w];
            }
            if (!comes && !goes) {
                if (here.fixed[s] & bit_of(k)) return fail(NO_MOVE, s);
                kill(s, k);
            }
            if (goes) on = k, ways_on++;
            if (comes) back_by = k, ways_back++;
        }
        if (!look_at_degree(s)) return false;
        if (!is_known) return true;
        if (ways_on == 1 && (is_closed || !may_be_last(s)) && !fix(s, on)) return false;
        return !(ways_back == 1 && (is_closed || !may_be_first(s)) && !fix(s, back_by));
    }

    // A square with two remaining moves needs both, unless the path can end there; return false if it has too few.
    bool look_at_degree(i64 s) {
        const u64 moves = here.alive[s];
        const i64 degree = count_of(moves);
        const bool is_end = !is_closed && (may_be_first(s) || may_be_last(s));
        if (degree < 2 && !(is_end && degree == 1)) return fail(FEW_MOVES, s);
        if (degree > 2 || is_end || has_both(s)) return true;
        const i64 one = lowest(moves), other = highest(moves);
        return fix(s, one) && fix(s, other);
    }

    // ------------------------------------------------------------ conclusions

    // Draw all conclusions about one square; return false on a contradiction.
    bool look(i64 s) {
        const i64 count = narrow(s);
        return count == 0 ? fail(NO_STEP, s) : look_at_moves(s, count == 1);
    }

    // Give each step with one remaining square to that square; return false if a step has none.
    bool look_at_steps() {
        for (i64 w = 0; w < words; w++) {
            u64 once = 0, twice = 0;
            for (i64 v = 0; v < n; v++) {
                const u64 x = here.time[v * words + w];
                twice |= once & x;
                once |= x;
            }
            const u64 none = (w == words - 1 ? all : ~u64(0)) & ~once, single = once & ~twice;
            if (none) return fail(NO_SQUARE, 64 * w + lowest(none));
            if (single && !give_singles(w, single)) return false;
        }
        return true;
    }

    // Give the steps of word w with a single square to that square; return false if a square gets two steps.
    bool give_singles(i64 w, u64 single) {
        for (i64 v = 0; v < n; v++) {
            const Array<u64> its = times(v);
            const u64 mine = its[w] & single;
            if (!mine) continue;
            if (mine & (mine - 1)) return fail(TWO_STEPS, v);
            u64 others = its[w] ^ mine;
            its[w] = mine;
            for (i64 x = 0; x < words; x++) {
                if (x == w) continue;
                others |= its[x];
                its[x] = 0;
            }
            if (!others) continue;
            touch(v);
            spread(v);
        }
        return true;
    }

    // The first and the last step of a square.
    i64 first_step(i64 s) const {
        i64 w = 0;
        while (!times(s)[w]) w++;
        return 64 * w + lowest(times(s)[w]);
    }

    i64 last_step(i64 s) const {
        i64 w = words - 1;
        while (!times(s)[w]) w--;
        return 64 * w + highest(times(s)[w]);
    }

    // Remove the steps of a square outside `low` to `high`; return false if none remains.
    bool keep_between(i64 s, i64 low, i64 high) {
        const Array<u64> its = times(s);
        u64 lost = 0, kept = 0;
        for (i64 w = 0; w < words; w++) {
            u64 some = its[w];
            if (64 * w < low) some &= low - 64 * w > 63 ? 0 : ~u64(0) << (low - 64 * w);
            if (64 * w + 63 > high) some &= high < 64 * w ? 0 : ~u64(0) >> (63 - (high - 64 * w));
            lost |= its[w] ^ some;
            kept |= some;
            its[w] = some;
        }
        if (!kept) return fail(NO_ORDER, s);
        if (!lost) return true;
        i64 step = 0;
        if (count_steps(s, step) == 1) claim(s, step);
        touch(s);
        spread(s);
        return true;
    }

    // Order the named squares, each at least `apart` steps after its predecessor; return false if that is impossible.
    bool look_at_order() {
        i64 least = 0, most = n - 1;
        for (i64 i = 0; i < named.size; i++) {
            if (!keep_between(named[i], least, n - 1)) return false;
            least = first_step(named[i]) + apart[i];
        }
        for (i64 i = named.size - 1; i >= 0; i--) {
            if (!keep_between(named[i], 0, most)) return false;
            most = last_step(named[i]) - (i > 0 ? apart[i - 1] : 0);
        }
        return true;
    }

    // Draw all conclusions from the queue; return false on a contradiction.
    bool settle() {
        do {
            while (queued > 0)
                if (!look(next_waiting())) return false;
            if (!look_at_steps() || !look_at_order()) return false;
        } while (queued > 0);
        return true;
    }

    // Draw all conclusions from the knowledge of the level; return false on a contradiction.
    bool settle_all() {
        drop_queue();
        for (i64 s = 0; s < n; s++) touch(s);
        shift_all();
        for (i64 s = 0; s < n; s++) {
            i64 step = 0;
            if (count_steps(s, step) == 1) claim(s, step);
        }
        return settle();
    }

    // Put square s at step t; return false on a contradiction. The previous level is complete; `up` and `down` belong
    // to it.
    bool put(i64 s, i64 t) {
        for (u64 &word : times(s)) word = 0;
        flip(s, t);
        drop_queue();
        touch(s);
        claim(s, t);
        spread(s);
        return settle();
    }

    // Remove a step of a square; return false on a contradiction.
    bool strike_out(i64 s, i64 t) {
        flip(s, t);
        drop_queue();
        shift_all();
        touch(s);
        spread(s);
        return settle();
    }
};

}  // namespace
