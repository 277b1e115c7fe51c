// Algebra "best" on lists: a state stores the maximum value, plus 1, of its partial tours. See
// lab/objectives/best_by_halves.py.
#include "join.h"

namespace {

// added[e]: the value of the moves of edge e.
struct Largest : Beside<i64> {
    Array<const i64> added;
    i64 more = 0;
    Largest(const Beside<i64> &lists, const Array<const i64> &of_edges) : Beside<i64>(lists), added(of_edges) {}

    void read(i64 e, i64 source) {
        Beside<i64>::read(e, source);
        more = added[e];
    }
    void put(i64 n, u64 word, i64 i) const { list[n] = {word, from[i].value + more}; }
    void add(i64 n, i64 i) const { list[n].value = Greater::plus(list[n].value, from[i].value + more); }
    double mass(i64) const { return 0; }
};

// Build the lists of targets first .. last-1; return the number of states. Arguments are as for lists_pull_counts.
i64 best_pull(ByTarget edges, Lists before, Array<const Counted> states, Made made, Array<Counted> out, Turn turn,
              Array<i32> table, Array<const i64> added, i64 first, i64 last) {
    const Largest largest({before, states, out}, added);
    using P = Pull<Narrow, Largest>;
    return P{edges, before.classes, before.lengths, made, turn, table, largest}.run(first, last);
}

// ---------------------------------------------------------------- the join

// The halves. left_values, right_values: the value of each subset of the middle moves.
struct Valued {
    Side left, right;
    Fit fit;
    Array<const i64> left_values, right_values;
};
// The maximum value of a tour, plus 1 (0 without tours), and the index of its class.
struct Best {
    using Item = i64;
    i64 value, final_class;
};

using Classes = Pairing<Narrow, Side>;

// Gather a class and its partner, with the maximum value that completes each left word. Returns whether both have
// words.
bool prepare(Classes &classes, const Valued &halves, const Tables &tables) {
    const auto enter = [](const Array<const i64> &values) {
        return [&values](i64 &slot, const Side &side, i64 state, const Source &source) {
            slot = Greater::plus(slot, side.value_of(state) + values[source.subset]);
        };
    };
    if (!classes.gather(enter(halves.left_values), enter(halves.right_values))) return false;
    classes.complete<Greater>(tables);
    return true;
}

// The maximum value, plus 1, of tours with left word i of a class; 0 without tours.
i64 value_of(const Scratch &room, i64 i) { return room.ways[i] ? room.values[i] + room.ways[i] - 1 : 0; }

// Search classes finals[counters.next] .. finals[last-1] for a better value.
i64 best_join(Array<const i64> finals, Valued halves, Room room, Tables tables, Array<Counters> counters,
              Array<Best> best, i64 last) {
    for (i64 &k = counters[0].next; k < last; k++) {
        Classes classes(Class::of(finals[k]), halves.left, halves.right, halves.fit, room);
        if (!classes.taken.fits(counters[0])) return FULL;
        if (classes.is_empty() || !prepare(classes, halves, tables)) continue;
        for (i64 i = 0; i < classes.n_left; i++)
            if (value_of(classes.room, i) > best[0].value) best[0] = {value_of(classes.room, i), k};
    }
    return DONE;
}

// ---------------------------------------------------------------- the tour

// A state: class, index and word, subset of middle moves, and value plus 1.
struct Reached {
    using Item = i64;
    i64 number, state, word, subset, value;
};

// Find the state of a half with a word and a value. to: permutation of its words, if any.
Reached find_state(const Gathered<Narrow, Side> &states, const Array<const i64> &values, u64 target, i64 value,
                   const Turn *to) {
    Reached reached{-1, 0, 0, 0, 0};
    states.find([&](u64 word, i64 state, const Source &source) {
        const i64 own = states.side.value_of(state);
        if ((to ? Narrow::turned(word, 0, *to) : word) != target || own + values[source.subset] != value) return false;
        reached = {source.number, state, i64(states.side.states[state].word), source.subset, own};
        return true;
    });
    return reached;
}

// The states of both halves of a tour with this value, plus 1, in class finals[last-1]; `found` is unchanged if none
// exists.
i64 best_states(Array<const i64> finals, Valued halves, Room all, Tables tables, Array<Counters> counters,
                Array<Reached> found, i64 value, i64 last) {
    Classes classes(Class::of(finals[last - 1]), halves.left, halves.right, halves.fit, all);
    if (!classes.taken.fits(counters[0])) return FULL;
    counters[0].next = last;
    if (classes.is_empty() || !prepare(classes, halves, tables)) return DONE;
    const Scratch &room = classes.room;
    for (i64 i = 0; i < classes.n_left; i++) {
        if (value_of(room, i) != value) continue;
        const u64 word = word_of_rank(room.ranks[i], classes.ends, classes.pairs);
        for (const Counted &right : room.right.part(0, classes.n_right)) {
            if (right.value != room.ways[i] || !fit_together(right.word, word, classes.ends)) continue;
            const Turn &to_left = classes.joint.is_flipped ? halves.fit.flipped_to_left : halves.fit.to_left;
            found[0] = find_state(classes.left_states(), halves.left_values, word, room.values[i], nullptr);
            found[1] = find_state(classes.right_states(), halves.right_values, right.word, right.value, &to_left);
            return DONE;
        }
    }
    return DONE;
}

// Find the state of the layer before that leads to a state of class number `target`. found: the state, input and
// output; its subset is the edge on output.
i64 best_back(ByTarget edges, Lists before, Array<const Counted> states, Array<const i64> added, Array<Reached> found,
              i64 target) {
    const u64 word = u64(found[0].word);
    for (i64 e = edges.starts[target]; e < edges.starts[target + 1]; e++) {
        const Operation op = Operation::of(edges.edges[e]);
        const i64 source = edges.edges[e] >> OP_BITS, first = before.offsets[source];
        const u32 ends = Class::of(before.classes[source]).ends;
        for (i64 i = first; i < first + before.lengths[source]; i++) {
            if (states[i].value + added[e] != found[0].value) continue;
            if (Narrow::changed(states[i].word, op.name, op.a, op.b, ends) != word) continue;
            found[0] = {source, i, i64(states[i].word), e, states[i].value};
            return DONE;
        }
    }
    return BROKEN;
}

}  // namespace

EXPORT_KERNEL(best_pull)
EXPORT_KERNEL(best_join)
EXPORT_KERNEL(best_states)
EXPORT_KERNEL(best_back)
