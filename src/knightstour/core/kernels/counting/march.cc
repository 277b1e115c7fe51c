// Algebras of keys: the states of one layer produce those of the next. See core/search/frontier/marching.py for the
// arrays.
//
// The value of a state, and its operations, form an *algebra*, a struct with
//
//   enter(s, pick, k, is_new)  state s of the layer leads by a pick to state k of the next;
//   close(s, pick)             it closes a tour; returns whether the march ends there;
//   begin(s)                   transitions from state s on follow;
//   has_room(count)            whether it has capacity for that many transitions more;
//   leave(s)                   all transitions from state s are complete.
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

// The first step that led to each state, and the one that closes a tour and so ends the march.
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

// All transitions: those of state s are offsets[s] ... offsets[s + 1] - 1; target -1 is the complete tour.
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

    // Add sum `from` of a state, times a factor, to sum `to`.
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

// The maximum value of the moves that lead to a state, and the first step that attains it.
struct Best : Plain {
    Array<const i64> worth, before;  // worth: of each pick
    Array<i64> best;
    Array<Step> steps;
    Array<i64> closed;  // the most of a whole tour, the state that it closes from, and the pick; that is -1 without one

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

// A child that is made, and not entered yet.
template <i64 WIDTH>
struct Child {
    Key<WIDTH> key;
    u64 hash;
    i64 s, pick;
};
// Children wait until this many exist, so that memory for one is prefetched while others are created.
constexpr i64 MAX_WAITING = 64;

template <i64 WIDTH, class Algebra>
struct March {
    Algebra &algebra;
    KeyTable<WIDTH> next;
    Counters &now;
    i64 left;  // states before this one have all their children entered
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

    // Enter the children that wait. now.done is the state at work, or the one after it.
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

    // Whether there is capacity for that many children in addition to the waiting ones.
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
            // The room for all children of a state is there before it begins.
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

// Expand states of layer t into the next: RUNNING when states up to last-1 are done; FOUND if one closes a tour that
// ends the march, in which case it is not done; FULL if more capacity is needed; SPENT when counters.most states exist.
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

// before, sums: (state, sum, digit). total: of complete tours, which is increased. many: sums per state. is_ring: see
// Sums.
i64 march_sums(Steps steps, Layers layers, Array<const i64> weights, Array<const u64> before, Array<u64> sums,
               Array<u64> total, i64 many, i64 is_ring, i64 t, i64 last) {
    return march(steps, layers, Sums{{}, weights, before, sums, total, many, is_ring}, t, last);
}

i64 march_best(Steps steps, Layers layers, Array<const i64> worth, Array<const i64> before, Array<i64> best,
               Array<Step> ways, Array<i64> closed, i64 t, i64 last) {
    return march(steps, layers, Best{{}, worth, before, best, ways, closed}, t, last);
}

}  // namespace

DOOR(march_parents)
DOOR(march_ways)
DOOR(march_sums)
DOOR(march_best)
