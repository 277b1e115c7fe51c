// Encoding "lists by class": the states of a final class, gathered from their source classes on demand.
#pragma once
#include "classes.h"
#include "cycles.h"
#include "lists.h"

namespace {

// A middle move: the slots that it joins.
struct Middle {
    using Item = i64;
    i64 a, b;
};

// Buffers of one thread: zeros, which are zero again after each class, and arbitrary numbers.
struct Room {
    Array<i64> zeros, items;
};

// Consecutive parts of an array. taken: the required length; parts beyond the actual length are empty.
struct Parts {
    const Array<i64> from;
    i64 taken = 0;

    template <class T>
    Array<T> next(i64 count) {
        const i64 first = taken;
        taken += (count * i64(sizeof(T)) + 7) / 8;
        if (taken > from.size) return {nullptr, 0};
        return {reinterpret_cast<T *>(from.at + first), count};
    }
};

// A source list of a class: the list of class `number` (or its flip) with the middle moves of `subset`.
struct Source {
    using Item = i64;
    i64 number, subset, flips;
};
struct Planned {
    using Item = i64;
    i64 name, a, b;
};

// Layout of the states: a word with a number; or items, a word and the numbers of its polynomial.
inline u64 word_of(const Counted &state) { return state.word; }
inline u64 word_of(i64 item) { return u64(item); }

// One half: see join.py for the fields. State: Counted or i64.
template <class State>
struct SideOf {
    Array<const i64> marks, weights;
    i64 size;
    Array<const i64> classes, offsets, lengths;
    Array<const State> states;
    Array<const double> masses;
    Array<const Subset> subsets;
    Array<const Middle> moves;
    i64 is_folded;
    Array<const i64> flip;
    Turn turn;
    i64 shift, mask;
    Array<const i64> widths;

    // Number of items per state of a class.
    i64 size_of(i64 number) const {
        if constexpr (sizeof(State) == sizeof(i64)) return 1 + widths[number];
        return 1;
    }
    Set set() const { return {weights, size, marks}; }
    i64 value_of(i64 state) const { return states[state].value >> shift & mask; }
    i64 number_of(const Class &c) const { return set().number_of(c); }
};
using Side = SideOf<Counted>;

// Source lists found[0 .. n-1], their number of states, and the sum of their masses.
struct Sources {
    Array<Source> found;
    i64 inputs;
    double mass;
};

// Number of pairs of the ends of a class; a loose path is paired with an extra slot.
inline int pairs_of(const Class &c) { return (__builtin_popcount(c.ends) + (c.placed == 1)) >> 1; }
// The mate of the loose path: the lowest slot that is not an end. 0 without a loose path.
inline int extra_of(const Class &c) { return c.placed == 1 ? slot_of(~c.ends) : 0; }
inline u32 all_ends_of(const Class &c) { return c.placed == 1 ? c.ends | (c.ends + 1) : c.ends; }

inline u64 with_loose(u64 word, u32 ends, int extra) {
    const int y = loose_of(word, ends);
    return word ^ at(y ^ extra, y) ^ at(y ^ extra, extra);
}

// Source lists of class c, in the order of the subsets.
template <class Half>
Sources find_sources(const Half &side, const Class &c, const Array<Source> &found) {
    i64 n = 0;
    Sources sources{found, 0, 0};
    for (i64 x = 0; x < side.subsets.size; x++) {
        const u32 once = u32(side.subsets[x].once), twice = u32(side.subsets[x].twice);
        if ((~(c.inner | c.ends) & (once | twice)) || (c.ends & twice)) continue;
        const Class base{c.placed, c.inner & ~(once | twice), (c.ends & ~once) | (c.inner & once)};
        const Class image = side.is_folded ? base.flipped(side.flip) : base;
        const i64 number = side.number_of(image < base ? image : base);
        if (number < 0 || side.lengths[number] == 0) continue;
        // A class that is its own flip contains half of its states; the others are their flips.
        for (int flips = image < base; flips <= (side.is_folded && !(base < image)); flips++) {
            found[n++] = {number, x, flips};
            sources.inputs += side.lengths[number];
            sources.mass += side.masses[number];
        }
    }
    sources.found.size = n;
    return sources;
}

// The operations that add chosen middle moves to a class.
inline Array<const Planned> plan_moves(const Array<const Middle> &moves, const Class &base, u64 chosen,
                                       const Array<Planned> &plan) {
    u32 ends = base.ends, bare = ~(ends | base.inner) & ALL_SLOTS;
    i64 n = 0;
    each_of(chosen, [&](i64 m) {
        i64 a = moves[m].a, b = moves[m].b;
        if (bare >> a & 1 && ends >> b & 1) {
            a = moves[m].b;
            b = moves[m].a;
        }
        plan[n++] = {ends >> a & ends >> b & 1 ? JOIN : bare >> a & 1 ? PAIR : MOVE, a, b};
        ends ^= 1u << a ^ 1u << b;
        bare &= ~(1u << a | 1u << b);
    });
    return {plan.at, n};
}

// The word after all operations of a plan; NO_WORD if a path closes.
template <class Word>
u64 with_plan(u64 word, const Array<const Planned> &plan, u32 ends) {
    for (const Planned &move : plan) {
        const int a = int(move.a), b = int(move.b);
        word = Word::changed(word, int(move.name), a, b, ends);
        if (word == NO_WORD) break;
        ends ^= 1u << a ^ 1u << b;
    }
    return word;
}

// A batch of states for a class: their words and indices, without states with a closed path.
struct Batch {
    static constexpr i64 MOST = 256;
    u64 words[MOST];
    i64 states[MOST];
    i64 n;

    template <class Change>
    [[gnu::always_inline]] inline void change(Change change) {
        i64 made = 0;
        for (i64 i = 0; i < n; i++) {
            const u64 word = change(words[i]);
            words[made] = word;
            states[made] = states[i];
            made += word != NO_WORD;
        }
        n = made;
    }
};

// A class of a half, and its source lists. extra: the mate of a loose path.
template <class Word, class Half>
struct Gathered {
    const Half &side;
    const Class c;
    const int extra;
    const Sources sources;
    const Array<Planned> &plan;

    // Call is_it(word, state, source) for its states, in the order of the sources, until it returns true; equal words
    // can occur several times. Returns the last result.
    template <class Is>
    bool find(Is is_it) const {
        for (const Source &source : sources.found) {
            Class base = Class::of(side.classes[source.number]);
            const u32 unturned = base.ends;
            if (source.flips) base = base.flipped(side.flip);
            const Array<const Planned> planned =
                plan_moves(side.moves, base, u64(side.subsets[source.subset].moves), plan);
            const i64 first = side.offsets[source.number], count = side.lengths[source.number];
            const i64 size = side.size_of(source.number);
            for (i64 done = 0; done < count; done += Batch::MOST) {
                Batch batch;
                fill(batch, first + done * size, count - done < Batch::MOST ? count - done : Batch::MOST, size);
                if (source.flips) batch.change([&](u64 word) { return Word::turned(word, unturned, side.turn); });
                apply(batch, planned, base.ends);
                for (i64 i = 0; i < batch.n; i++)
                    if (is_it(batch.words[i], batch.states[i], source)) return true;
            }
        }
        return false;
    }
    // Call use(word, state, source) for all states.
    template <class Use>
    void each(Use use) const {
        find([&](u64 word, i64 state, const Source &source) {
            use(word, state, source);
            return false;
        });
    }

private:
    void fill(Batch &batch, i64 begin, i64 n, i64 size) const {
        batch.n = n;
        const auto *from = side.states.part(begin, n * size).at;
        for (i64 i = 0; i < n; i++) {
            batch.words[i] = word_of(from[i * size]);
            batch.states[i] = begin + i * size;
        }
    }
    void apply(Batch &batch, const Array<const Planned> &planned, u32 ends) const {
        for (const Planned &move : planned) {
            const int a = int(move.a), b = int(move.b);
            with_name(int(move.name), [&](auto name) {
                batch.change([&](u64 word) { return Word::changed(word, name, a, b, ends); });
            });
            ends ^= 1u << a ^ 1u << b;
        }
        if (c.placed == 1) batch.change([&](u64 word) { return with_loose(word, c.ends, extra); });
    }
};

// Size of a hash table for these states: a power of two, at most two thirds full.
inline i64 room_for(i64 inputs, int pairs) {
    const i64 most = inputs < MATCHINGS[pairs] ? inputs : MATCHINGS[pairs];
    i64 room = 16;
    while (2 * room < 3 * most + 2) room *= 2;
    return room;
}

// Distinct words, in the order of their first occurrence.
struct Words {
    Array<Counted> list;
    Places places;
    i64 n = 0;

    // The value of a word; 0 if new.
    i64 &value_of(u64 word) {
        i32 &place = places.find(word, [&](i64 k) { return list[k].word == word; });
        if (place < 0) {
            place = i32(n);
            list[n++] = {word, 0};
        }
        return list[place].value;
    }
    Array<Counted> all() const { return {list.at, n}; }
};

}  // namespace
