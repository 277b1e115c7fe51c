// Storage "keep all" of lists: layers of both halves, and single tours in them. See join.py for the arrays and
// lab/counting/spaces/by_halves.py for the algorithm.
#pragma once
#include "join.h"
#include "links.h"
#include "sorting.h"

namespace {

struct Chain {
    Array<const i64> class_at, classes, begins, words;
    AnyOf<const i32, const i64> counts;
    Array<const i64> edge_starts, edges;
    Array<const Step> steps;
    Array<const i64> square_at, square_in, slot_of;
    Array<const Middle> moves;

    i64 count_of(i64 state) const {
        return counts.bytes == 4 ? counts.as<const i32>()[state] : counts.as<const i64>()[state];
    }
    Class class_of(i64 layer, i64 c) const { return Class::of(classes[class_at[layer] + c]); }
    i64 square_in_slot(i64 t, i64 slot) const { return square_in[HIGH * t + slot]; }
    // The slots that get a move of the square of step t: bare ones that become ends, and ends that become inner.
    u32 raised(i64 t, Class before, const Class &after) const {
        if (steps[t].kind != DEAL) return 0;
        // The state of the square's own slot belongs to the square; an heir starts bare.
        before.ends &= ~(1u << steps[t].slot);
        before.inner &= ~(1u << steps[t].slot);
        return (~(before.ends | before.inner) & after.ends) | (before.ends & after.inner);
    }
    i64 slot_of_square(i64 t, i64 square) const { return slot_of[slot_of.size / steps.size * t + square]; }
};

struct Half {
    Chain chain;
    Side side;
};

struct Space {
    Half left, right;
    Fit fit;
    Turn from_left;
};

inline void link(const Links &links, i64 v, i64 u) {
    (links[v].first < 0 ? links[v].first : links[v].second) = u;
    (links[u].first < 0 ? links[u].first : links[u].second) = v;
}

// ---------------------------------------------------------------- one step back

// Call emit(before) for the candidates that an operation may turn into `word`, in a fixed order. ends: ends in the
// class of `word`. A candidate may not occur in the class, or may lead to another word.
template <class Emit>
void each_word_before(u64 word, const Operation &op, u32 ends, Emit emit) {
    const int a = op.a, b = op.b;
    switch (op.name) {
        case KEEP:
            return emit(word);
        case PAIR:
            return emit(word ^ at(a ^ b, a) ^ at(a ^ b, b));
        case STUB_LAST: {
            const int f = nibble(word, a);
            return emit(word ^ at(f, a) ^ at(f, a ^ f));
        }
        case MOVE: {
            const int g = nibble(word, b), y = b ^ g;
            return emit(g == 0 ? word : word ^ at(g, b) ^ at(a ^ y, a) ^ at(a ^ b, y));
        }
        case LOOSEN: {
            const int y = loose_of(word, ends);
            return emit(word ^ at(a ^ y, a) ^ at(a ^ y, y));
        }
        default:
            break;
    }
    // JOIN and LOOSEN_LAST are reversed by a cut of a path, in both directions.
    for (u32 left = ends; left; left &= left - 1) {
        const int x = slot_of(left), f = nibble(word, x), y = x ^ f;
        if (f && op.name == JOIN) {
            // x gets mate a, and its mate b; the other case occurs when the mate is x.
            emit(word ^ at(f ^ x ^ a, x) ^ at(f ^ y ^ b, y) ^ at(x ^ a, a) ^ at(y ^ b, b));
        } else if (f) {
            emit(word ^ at(f ^ x ^ a, x) ^ at(f, y) ^ at(x ^ a, a));
        } else if (op.name == JOIN) {
            // The loose path: its loose part may belong to a or to b.
            emit(word ^ at(x ^ a, a) ^ at(x ^ a, x));
            emit(word ^ at(x ^ b, b) ^ at(x ^ b, x));
        }
    }
}

// A state of a layer: its class, numbered within the layer, and its word.
struct At {
    i64 c;
    u64 word;
};

// Go back over step t from a state, to the first state before it for which is_it(at, state, edge) is true. Returns
// whether one exists. The order of the edges determines the ranks of tours.
template <class Is>
bool step_back(const Chain &chain, i64 t, At &here, Is is_it) {
    const i64 after = chain.class_at[t + 1] + here.c;
    const u32 ends = Class::of(chain.classes[after]).ends;
    for (i64 e = chain.edge_starts[after]; e < chain.edge_starts[after + 1]; e++) {
        const Operation op = Operation::of(chain.edges[e]);
        const i64 source = chain.edges[e] >> OP_BITS, there = chain.class_at[t] + source;
        const u32 ends_before = Class::of(chain.classes[there]).ends;
        bool is_found = false;
        At before{source, 0};
        each_word_before(here.word, op, ends, [&](u64 word) {
            if (is_found) return;
            const i64 state = place_of(chain.words, chain.begins[there], chain.begins[there + 1], i64(word));
            if (state < 0 || Narrow::changed(word, op.name, op.a, op.b, ends_before) != here.word) return;
            before.word = word;
            is_found = is_it(before, state, e);
        });
        if (is_found) {
            here = before;
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------- moves and states

// Record the moves of step t between two classes.
inline void link_step(const Chain &chain, i64 t, const Class &before, const Class &after, const Links &links) {
    each_of(chain.raised(t, before, after),
            [&](i64 slot) { link(links, chain.square_at[t], chain.square_in_slot(t, slot)); });
}

// Record the moves of the partial tour with an index, from 0, within a state of the last layer. Returns whether it
// exists.
inline bool link_back(const Chain &chain, At here, i64 number, const Links &links) {
    for (i64 t = chain.steps.size - 1; t >= 0; t--) {
        const Class after = chain.class_of(t + 1, here.c);
        const bool is_found = step_back(chain, t, here, [&](const At &, i64 state, i64) {
            const i64 count = chain.count_of(state);
            if (number < count) return true;
            number -= count;
            return false;
        });
        if (!is_found) return false;
        link_step(chain, t, chain.class_of(t, here.c), after, links);
    }
    return true;
}

// The class after a step along the moves of a tour.
inline Class class_after(const Chain &chain, i64 t, const Class &before, const Links &links) {
    const Step &step = chain.steps[t];
    const Neighbours near = links[chain.square_at[t]];
    const u32 bit = 1u << step.slot;
    Class c = before;
    const auto raise = [&](u32 slot) {
        if (c.ends & slot) c.inner |= slot;
        c.ends ^= slot;
    };
    if (near.is_end()) c.placed++;
    if (step.kind == END) {
        if (near.is_end()) raise(bit);
        return c;
    }
    c.inner &= ~bit;
    c.ends &= ~bit;
    const auto move_to = [&](i64 square) {
        const i64 slot = square < 0 ? -1 : chain.slot_of_square(t, square);
        if (slot >= 0) raise(1u << slot);
    };
    move_to(near.first);
    move_to(near.second);
    return c;
}

// Position of a tour before each step, and at the end.
struct Steps {
    Array<i64> classes, words;
};

// Follow the moves of a tour forwards. Returns whether each step allows them.
inline bool follow(const Chain &chain, const Links &links, const Steps &steps) {
    Class c{0, 0, 0};
    u64 word = 0;
    for (i64 t = 0; t < chain.steps.size; t++) {
        steps.classes[t] = c.code();
        steps.words[t] = i64(word);
        const Class child = class_after(chain, t, c, links);
        u64 next = NO_WORD;
        auto emit = [&](const Class &choice, i64 code) {
            const Operation op = Operation::of(code);
            if (choice == child && next == NO_WORD) next = Narrow::changed(word, op.name, op.a, op.b, c.ends);
        };
        Choices<decltype(emit)>{chain.steps[t], c, emit}.list();
        if (next == NO_WORD) return false;
        c = child;
        word = next;
    }
    steps.classes[chain.steps.size] = c.code();
    steps.words[chain.steps.size] = i64(word);
    return true;
}

// The index, from 0, of a partial tour within its last state, in class number c; -1 if missing.
inline i64 number_back(const Chain &chain, i64 c, const Steps &steps) {
    i64 number = 0;
    At here{c, u64(steps.words[chain.steps.size])};
    for (i64 t = chain.steps.size - 1; t >= 0; t--) {
        const bool is_found = step_back(chain, t, here, [&](const At &before, i64 state, i64) {
            if (chain.class_of(t, before.c).code() == steps.classes[t] && i64(before.word) == steps.words[t])
                return true;
            number += chain.count_of(state);
            return false;
        });
        if (!is_found) return -1;
    }
    return number;
}

}  // namespace
