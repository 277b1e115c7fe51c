// Algebras of keys: the states of a layer produce the states of the next one. See core/search/frontier/marching.py for
// the arrays.
//
// The value of a state, and its operations, form an *algebra*, a struct with
//
//   enter(s, pick, k, is_new)  state s leads by a pick to state k of the next layer;
//   close(s, pick)             the pick closes a tour; returns whether the march ends;
//   begin(s)                   the transitions from state s follow;
//   has_room(count)            whether there is capacity for that number of transitions;
//   leave(s)                   the transitions from state s are complete.
#include "march.h"

namespace {

enum Status : i64 { RUNNING, FOUND, FULL, SPENT };

// done: the state to expand next.
struct Counters {
    using Item = i64;
    i64 done, made, most;
};

struct Layers {
    Array<const u64> source;
    Array<Counters> counters;
    Keys next;
};

struct Plain {
    void begin(i64) const {}
    bool has_room(i64) const { return true; }
    void leave(i64) const {}
};

struct Step {
    using Item = i32;
    i32 parent, pick;
};

// The first step to each state, and the step that closes a tour and ends the march.
struct Parents : Plain {
    Array<Step> steps;
    Array<Step> closed;

    void enter(i64 s, i64 pick, i64 k, bool is_new) const {
        if (is_new) steps[k] = {i32(s), i32(pick)};
    }
    bool close(i64 s, i64 pick) const {
        closed[0] = {i32(s), i32(pick)};
        return true;
    }
};

// All transitions: state s has offsets[s] ... offsets[s + 1] - 1; target -1 is the complete tour.
struct Ways {
    Array<i64> offsets;
    Array<i32> targets, codes;
    i64 count = 0;

    void add(i64 target, i64 pick) {
        targets[count] = i32(target);
        codes[count++] = i32(pick);
    }
    void enter(i64, i64 pick, i64 k, bool) { add(k, pick); }
    bool close(i64, i64 pick) {
        add(-1, pick);
        return false;
    }
    void begin(i64 s) { count = offsets[s]; }
    bool has_room(i64 ways) const { return count + ways <= targets.size; }
    void leave(i64 s) const { offsets[s + 1] = count; }
};

// Parallel sums, over all partial tours of a state, of products of weights; with weights 1 their number. In digits of
// 64 bits, the lowest first, in two's complement; Python provides enough digits. On a ring, sum j belongs to the
// partial tours with total voltage j, and weight j of a pick to moves of voltage j.
struct Sums : Plain {
    Array<const i64> weights;  // (pick, sum); empty if all are 1
    Array<const u64> before;
    Array<u64> sums, total;
    i64 many, is_ring;

    // Add sum `from` of a state, times a weight, to sum `to`.
    void add_times(i64 weight, i64 s, i64 from, i64 to, const Array<u64> &sum) const {
        const i64 digits = total.size / many;
        __int128 carried = 0;
        for (i64 d = 0; d < digits; d++) {
            u64 &digit = sum[to * digits + d];
            carried += digit + weight * __int128(before[s * total.size + from * digits + d]);
            digit = u64(carried);
            carried >>= 64;
        }
    }
    void add(i64 s, i64 pick, const Array<u64> &sum) const {
        for (i64 j = 0; j < many; j++) {
            const i64 weight = weights.size ? weights[pick * many + j] : 1;
            if (!is_ring) {
                add_times(weight, s, j, j, sum);
            } else if (weight) {
                for (i64 from = 0; from < many; from++) add_times(weight, s, from, (from + j) % many, sum);
            }
        }
    }
    void enter(i64 s, i64 pick, i64 k, bool is_new) const {
        const Array<u64> sum = sums.part(k * total.size, total.size);
        if (is_new)
            for (u64 &digit : sum) digit = 0;
        add(s, pick, sum);
    }
    bool close(i64 s, i64 pick) const {
        add(s, pick, total);
        return false;
    }
};

// The maximum value of the moves to a state, and the first step that attains it.
struct Best : Plain {
    Array<const i64> worth, before;  // worth: value of each pick
    Array<i64> best;
    Array<Step> steps;
    Array<i64> closed;  // maximum value of a tour, its last state and its last pick (-1 without a tour)

    void enter(i64 s, i64 pick, i64 k, bool is_new) const {
        const i64 value = before[s] + worth[pick];
        if (!is_new && value <= best[k]) return;
        best[k] = value;
        steps[k] = {i32(s), i32(pick)};
    }
    bool close(i64 s, i64 pick) const {
        const i64 value = before[s] + worth[pick];
        if (closed[2] >= 0 && value <= closed[0]) return false;
        closed[0] = value;
        closed[1] = s;
        closed[2] = pick;
        return false;
    }
};

// A new child that is not entered yet.
template <i64 WIDTH>
struct Child {
    Key<WIDTH> key;
    u64 hash;
    i64 s, pick;
};
// Children are entered in batches of this size, so that memory is prefetched meanwhile.
constexpr i64 MAX_WAITING = 64;

template <i64 WIDTH, class Algebra>
struct March {
    Algebra &algebra;
    KeyTable<WIDTH> next;
    Counters &now;
    i64 left;  // all children of the states before this one are entered
    i64 count = 0;
    bool is_over = false;
    Child<WIDTH> waiting[MAX_WAITING] = {};

    March(Algebra &its_algebra, const Layers &layers, i64 width)
        : algebra(its_algebra), next(layers.next, width), now(layers.counters[0]), left(now.done) {}

    void enter(const Key<WIDTH> &key, i64 pick) {
        if (count == MAX_WAITING) enter_waiting();
        const u64 hash = next.hash_of(key.words);
        next.fetch_place(hash);
        waiting[count++] = {key, hash, now.done, pick};
    }

    void close(i64 pick) {
        enter_waiting();
        is_over = algebra.close(now.done, pick);
    }

    // Enter the waiting children. now.done is the current state, or the next one.
    void enter_waiting() {
        for (i64 i = 0; i < count; i++) next.fetch_key(waiting[i].hash);
        for (i64 i = 0; i < count; i++) {
            const Child<WIDTH> &child = waiting[i];
            for (; left < child.s; left++) algebra.leave(left);
            const i64 k = next.enter(child.key.words, child.hash, now.made);
            const bool is_new = k == now.made;
            now.made += is_new;
            algebra.enter(child.s, child.pick, k, is_new);
        }
        count = 0;
        for (; left < now.done; left++) algebra.leave(left);
    }

    // Whether there is capacity for these children in addition to the waiting ones.
    bool has_room(i64 children) const {
        return now.made + count + children <= next.room() && algebra.has_room(count + children);
    }

    // Expand the states now.done ... last-1.
    Status run(const Steps &steps, const Array<const u64> &source, i64 t, i64 last) {
        const Joining<WIDTH, March> joining(steps, t, *this);
        const i64 room = steps.info[t].room;
        algebra.begin(now.done);
        for (; now.done < last; now.done++) {
            if (now.made + count >= now.most || !has_room(room)) enter_waiting();
            if (now.made >= now.most) return SPENT;
            // Each state needs capacity for all its children in advance.
            if (!has_room(room)) return FULL;
            Key<WIDTH> key{};
            for (i64 j = 0; j < next.width(); j++) key.words[j] = source[now.done * next.width() + j];
            joining.each_child(key);
            if (is_over) return FOUND;
        }
        enter_waiting();
        return RUNNING;
    }
};

// Expand states of layer t into the next: RUNNING if states up to last-1 are expanded; FOUND if a tour closes and ends
// the march, with its state unfinished; FULL if more capacity is needed; SPENT at counters.most states.
template <class Algebra>
i64 march(const Steps &steps, const Layers &layers, Algebra algebra, i64 t, i64 last) {
    const i64 width = steps.word[steps.slots() - 1] + 1;
    if (width == 1) return March<1, Algebra>(algebra, layers, 1).run(steps, layers.source, t, last);
    if (width == 2) return March<2, Algebra>(algebra, layers, 2).run(steps, layers.source, t, last);
    return March<0, Algebra>(algebra, layers, width).run(steps, layers.source, t, last);
}

i64 march_parents(Steps steps, Layers layers, Array<Step> ways, Array<Step> closed, i64 t, i64 last) {
    return march(steps, layers, Parents{{}, ways, closed}, t, last);
}

i64 march_ways(Steps steps, Layers layers, Array<i64> offsets, Array<i32> targets, Array<i32> codes, i64 t, i64 last) {
    return march(steps, layers, Ways{offsets, targets, codes}, t, last);
}

// before, sums: (state, sum, digit). total: complete tours are added. many: sums per state. is_ring: see Sums.
i64 march_sums(Steps steps, Layers layers, Array<const i64> weights, Array<const u64> before, Array<u64> sums,
               Array<u64> total, i64 many, i64 is_ring, i64 t, i64 last) {
    return march(steps, layers, Sums{{}, weights, before, sums, total, many, is_ring}, t, last);
}

i64 march_best(Steps steps, Layers layers, Array<const i64> worth, Array<const i64> before, Array<i64> best,
               Array<Step> ways, Array<i64> closed, i64 t, i64 last) {
    return march(steps, layers, Best{{}, worth, before, best, ways, closed}, t, last);
}

}  // namespace

EXPORT_KERNEL(march_parents)
EXPORT_KERNEL(march_ways)
EXPORT_KERNEL(march_sums)
EXPORT_KERNEL(march_best)
