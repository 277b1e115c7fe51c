// The join, for any words and algebra: a final class and its partner, gathered, and the completions of each left word.
// See join.py for the arrays.
#pragma once
#include "gather.h"

namespace {

enum Status : i64 { DONE, FULL, TOO_LARGE, BROKEN };

// next: the next class. need: the required buffer size, if the buffer is too small.
struct Counters {
    using Item = i64;
    i64 next, need_zeros, need_items;
};

// Allocated part of a buffer.
struct Taken {
    Parts zeros, items;

    explicit Taken(const Room &room) : zeros{room.zeros}, items{room.items} {}
    bool fits() const { return zeros.taken <= zeros.from.size && items.taken <= items.from.size; }
    // Whether the buffer is large enough; records the required size.
    bool fits(Counters &now) const {
        now.need_zeros = zeros.taken;
        now.need_items = items.taken;
        return fits();
    }
};

struct Fit {
    i64 all_ends, is_even, joins_folded, present;
    Array<const i64> to_right;
    Turn to_left, flipped_to_left;
    Array<const i64> slot_to_right, flip_slots;
};

// Buffers for one class. right: words with values. ranks, values, ways: arrays of the left list, by rank. by_rank,
// is_there: zeros, an item and a bit for each rank.
struct Scratch {
    Array<Planned> plan;
    Array<i32> table;
    Array<Counted> right;
    Array<i64> ranks, values, ways, by_rank, is_there;
    Between between;

    // most: words per half. inputs: source states of the right words.
    void take(Taken &taken, i64 most, i64 inputs, int pairs) {
        Parts &items = taken.items;
        table = items.next<i32>(room_for(inputs, pairs));
        right = items.next<Counted>(most);
        ranks = items.next<i64>(most);
        values = items.next<i64>(most);
        ways = items.next<i64>(most);
        by_rank = taken.zeros.next<i64>(MATCHINGS[pairs]);
        is_there = taken.zeros.next<i64>(MATCHINGS[pairs] / 64 + 1);
        between.dense = items.next<i64>(MATCHINGS[3] + MATCHINGS[4] + MATCHINGS[5]);
        between.sparse = items.next<Ranked>(pairs > 5 ? most : 0);
        between.sixes = taken.zeros.next<i64>(pairs > 6 ? MATCHINGS[6] : 0);
        between.sevens = items.next<Counted>(pairs > 7 ? most : 0);
        between.eights = items.next<Counted>(pairs > 8 ? most : 0);
    }
};

// The algebras of the completion: addition of values, with 0 neutral. With Greater, value v + 1 represents v.
struct Sum {
    static i64 plus(i64 a, i64 b) { return a + b; }
};
struct Greater {
    static i64 plus(i64 a, i64 b) { return a > b ? a : b; }
};

// A number in digits of 31 bits, which may exceed them.
struct Digits {
    using Item = i64;
    static constexpr int BITS = 31;
    static constexpr i64 MASK = (i64(1) << BITS) - 1;
    i64 of[4];

    // Add a * b, both below 2**62.
    void add_product(i64 a, i64 b) {
        const i64 a0 = a & MASK, a1 = a >> BITS, b0 = b & MASK, b1 = b >> BITS;
        const i64 low = a0 * b0, middle = a1 * b0 + a0 * b1, high = a1 * b1;
        of[0] += low & MASK;
        of[1] += (low >> BITS) + (middle & MASK);
        of[2] += (middle >> BITS) + (high & MASK);
        of[3] += high >> BITS;
    }
    void carry() {
        for (int j = 0; j < 3; j++) {
            of[j + 1] += of[j] >> BITS;
            of[j] &= MASK;
        }
    }
};

// A final left class, and its right class: the partner or its flip. weight: multiplicity of the tours, 0 if they are
// counted elsewhere.
struct Joint {
    Class left, right;
    bool is_flipped = false;
    i64 weight = 1;

    Joint(const Class &c, const Fit &fit, const Array<const i64> &left_flip, const Array<const i64> &right_flip)
        : left(c), right(c.partner(fit.all_ends, fit.present, fit.to_right)) {
        if (fit.joins_folded) {
            is_flipped = right.fold(right_flip);
            if (!(c.flipped(left_flip) == c)) weight = 2;
        }
        // The halves are images of each other, so each pair of partners occurs twice.
        if (fit.is_even) weight *= right < c ? 0 : c < right ? 2 : 1;
    }
};

// A class of the left half with its partner; valid only if `taken` fits. After `gather` and `complete`, the scratch has
// ranks, values and ways of the left words, by rank; room.right has the right words, in the slots of the left half.
template <class Word, class Half>
struct Pairing {
    const Half &left, &right;
    const Fit &fit;
    const Joint joint;
    const int pairs, extra;
    const u32 ends;
    Sources mine{}, others{};
    i64 n_left = 0, n_right = 0;
    Taken taken;
    Scratch room{};

    Pairing(const Class &c, const Half &left, const Half &right, const Fit &fit, const Room &all)
        : left(left),
          right(right),
          fit(fit),
          joint(c, fit, left.flip, right.flip),
          pairs(pairs_of(c)),
          extra(extra_of(c)),
          ends(all_ends_of(c)),
          taken(all) {
        if (pairs == 0 || joint.weight == 0) return;
        const Array<Source> found = taken.items.next<Source>(2 * left.subsets.size);
        const Array<Source> others_found = taken.items.next<Source>(2 * right.subsets.size);
        room.plan = taken.items.next<Planned>(left.moves.size + right.moves.size);
        if (!taken.fits()) return;
        mine = find_sources(left, c, found);
        if (mine.found.size) others = find_sources(right, joint.right, others_found);
        if (!is_empty()) room.take(taken, most(), others.inputs, pairs);
    }

    bool is_empty() const { return others.found.size == 0; }
    i64 most() const {
        const i64 most = mine.inputs > others.inputs ? mine.inputs : others.inputs;
        return most < MATCHINGS[pairs] ? most : MATCHINGS[pairs];
    }

    // The states of the classes.
    Gathered<Word, Half> left_states() const { return {left, joint.left, extra, mine, room.plan}; }
    Gathered<Word, Half> right_states() const {
        i64 slot = fit.slot_to_right[extra];
        if (joint.is_flipped) slot = fit.flip_slots[slot];
        return {right, joint.right, int(slot), others, room.plan};
    }
    // Call enter(slot, half, state, source) to add a state to the slot of its word, initially 0. Returns whether both
    // classes have words.
    template <class EnterLeft, class EnterRight>
    bool gather(EnterLeft enter_left, EnterRight enter_right) {
        gather_right(enter_right);
        gather_left(enter_left);
        return n_left > 0 && n_right > 0;
    }
    template <class Algebra>
    void complete(const Tables &tables) const {
        Cycles<Word, Algebra>{tables, room.between, {room.ranks.at, n_left}, room.ways}.complete(
            pairs, ends, {room.right.at, n_right});
    }

private:
    template <class Enter>
    void gather_right(Enter enter) {
        Words words{room.right, Places(room.table, room.table.size)};
        right_states().each(
            [&](u64 word, i64 state, const Source &source) { enter(words.value_of(word), right, state, source); });
        const Turn &to_left = joint.is_flipped ? fit.flipped_to_left : fit.to_left;
        for (Counted &r : words.all()) r.word = Word::turned(r.word, joint.right.ends, to_left);
        n_right = words.n;
    }
    // Gather right words directly as sums by rank. by_rank, is_there: zeros, before and after.
    template <class Enter>
    void gather_left(Enter enter) {
        left_states().each([&](u64 word, i64 state, const Source &source) {
            const i64 rank = rank_of<Word>(word, ends, pairs);
            room.is_there[rank >> 6] |= i64(bit_of(rank));
            enter(room.by_rank[rank], left, state, source);
        });
        for (i64 k = 0; k <= (MATCHINGS[pairs] - 1) >> 6; k++) {
            each_of(u64(room.is_there[k]), [&](i64 bit) {
                i64 &value = room.by_rank[k << 6 | bit];
                if (value == 0) return;
                room.ranks[n_left] = k << 6 | bit;
                room.values[n_left++] = value;
                value = 0;
            });
            room.is_there[k] = 0;
        }
    }
};

// Addition of states with numbers, for Pairing::gather.
template <class Algebra>
struct Entering {
    template <class Half, class From>
    void operator()(i64 &slot, const Half &half, i64 state, const From &) const {
        slot = Algebra::plus(slot, half.value_of(state));
    }
};

}  // namespace
