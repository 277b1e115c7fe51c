// Encoding "classes": classes of partial tours, sets of them, and the effect of a step and of middle moves on a class.
//
// A *state* is a frontier of 16 slots, or 18. Its *class* records the kind of each slot, its *word* the pairing of the
// ends (words.h). See lab/counting/halves/layers.py for the algorithm, classes.py for classes as numbers.
#pragma once
#include "words.h"

namespace {

// ends: slots that end a path. inner: slots with both moves. Other slots are bare. placed: number of placed ends of the
// tour, 0, 1 or 2 (always 0 for closed tours). As one number: bits 0-15, ends; 16-31, inner; 32-33, placed; 40-41 and
// 42-43, ends and inner of slots 16 and 17.
struct Class {
    i64 placed;
    u32 inner, ends;

    static Class of(i64 code) {
        return {code >> 32 & 3, u32(code >> 16 & LOW_SLOTS) | (u32(code >> 26) & HIGH_SLOTS),
                u32(code & LOW_SLOTS) | (u32(code >> 24) & HIGH_SLOTS)};
    }
    i64 code() const {
        return placed << 32 | i64(inner & LOW_SLOTS) << 16 | i64(ends & LOW_SLOTS) | i64(inner >> HIGH) << 42 |
               i64(ends >> HIGH) << 40;
    }
    bool operator<(const Class &other) const { return code() < other.code(); }
    bool operator==(const Class &other) const { return code() == other.code(); }

    // The image under a flip, which is given as the image of each mask of slots.
    Class flipped(const Array<const i64> &flip) const { return {placed, u32(flip[inner]), u32(flip[ends])}; }
    // Replace the class by its flip if that is lower; return whether it was replaced.
    bool fold(const Array<const i64> &flip) {
        const Class image = flipped(flip);
        if (!(image < *this)) return false;
        *this = image;
        return true;
    }
    // The class of the other half that completes it: bare where it is inner, inner where it is bare, ends with ends.
    Class partner(i64 all_ends, i64 present, const Array<const i64> &to_other) const {
        return {all_ends - placed, u32(to_other[u32(present) & ~inner & ~ends]), u32(to_other[ends])};
    }

private:
    static constexpr u32 HIGH_SLOTS = 3u << HIGH;
};

// A set of classes. The index of a class: each slot is a digit, 0 bare, 1 inner, 2 end; weights[mask] is the sum of the
// weights of its slots. The low half of item k of `marks` is a bit set of the indices 32 k .. 32 k + 31; after
// `classes_number` the high half is the number of members before them.
template <class Mark>
struct SetOf {
    Array<const i64> weights;
    i64 size;
    Array<Mark> marks;

    i64 index(const Class &c) const { return c.placed * size + weights[c.inner] + 2 * weights[c.ends]; }
    void add(const Class &c) const {
        const i64 k = index(c);
        marks[k >> 5] |= i64(1) << (k & 31);
    }
    bool has(const Class &c) const {
        const i64 k = index(c);
        return marks[k >> 5] >> (k & 31) & 1;
    }
    // The number of a class in a numbered set, or -1.
    i64 number_of(const Class &c) const {
        const i64 k = index(c);
        const u64 entry = u64(marks[k >> 5]), bit = bit_of(k & 31);
        return entry & bit ? i64(entry >> 32) + __builtin_popcount(u32(entry & (bit - 1))) : -1;
    }
};
using Set = SetOf<const i64>;
using NewSet = SetOf<i64>;

// ---------------------------------------------------------------- steps

enum Kind : i64 { DEAL, END };

// DEAL: the square in `slot` gets its missing moves, to the slots of `near`, and to its heir, a new square that
// inherits `slot`, if there is one. END: only decide whether the square in `slot` is an end of the tour. most_ends: it
// can be an end only if at most this number is placed afterwards. must_end: it must be an end.
struct Step {
    using Item = i64;
    i64 kind, slot, near, heir, most_ends, must_end;
};

// emit(child, operation) for every result of a step on a class.
template <class Emit>
struct Choices {
    const Step &step;
    const Class c;
    Emit &emit;
    const int s = int(step.slot);
    const u32 bit = 1u << s;

    void to(u32 inner, u32 ends, int name, int a, int b) const {
        emit(Class{c.placed, inner, ends}, Operation{name, a, b}.code());
    }
    // Place an end of the tour: slot a is the end, or its neighbour. takes: whether a then has both moves.
    void end_at(int a, bool takes) const {
        const u32 a_bit = 1u << a;
        const bool is_second = c.placed == 1;
        if (c.ends & a_bit)
            emit(Class{c.placed + 1, takes ? c.inner | a_bit : c.inner, c.ends ^ a_bit},
                 Operation{is_second ? LOOSEN_LAST : LOOSEN, a, 0}.code());
        else
            emit(Class{c.placed + 1, c.inner, c.ends | a_bit}, Operation{is_second ? STUB_LAST : KEEP, a, 0}.code());
    }
    // Add a move between slots a and b, neither of them inner.
    void link(int a, int b) const {
        const u32 a_bit = 1u << a, b_bit = 1u << b, both = a_bit | b_bit;
        if ((c.ends & both) == both)
            to(c.inner | both, c.ends ^ both, JOIN, a, b);
        else if (c.ends & a_bit)
            to(c.inner | a_bit, c.ends ^ both, MOVE, a, b);
        else if (c.ends & b_bit)
            to(c.inner | b_bit, c.ends ^ both, MOVE, b, a);
        else
            to(c.inner, c.ends | both, PAIR, a, b);
    }

    void list() const {
        const bool may_end = c.placed < step.most_ends, must_end = step.must_end != 0;
        if (step.kind == END) {
            if (!must_end) to(c.inner, c.ends, KEEP, 0, 0);
            if (may_end && !(c.inner & bit)) end_at(s, true);
        } else if (c.inner & bit) {
            if (!must_end) to(c.inner ^ bit, c.ends, KEEP, 0, 0);
        } else if (c.ends & bit) {
            if (may_end) end_at(s, false);
            if (!must_end) one_move();
        } else {
            if (may_end) first_move();
            if (!must_end) two_moves();
        }
    }

private:
    u32 near() const { return u32(step.near) & ~c.inner; }

    // The square ends a path and gets one more move.
    void one_move() const {
        if (step.heir) to(c.inner, c.ends, KEEP, 0, 0);
        for (u32 left = near(); left; left &= left - 1) {
            const int a = slot_of(left);
            const u32 a_bit = 1u << a, ends = c.ends ^ bit ^ a_bit;
            if (c.ends & a_bit)
                to(c.inner | a_bit, ends, JOIN, s, a);
            else
                to(c.inner, ends, MOVE, s, a);
        }
    }
    // The square is bare and an end of the tour: it gets one move.
    void first_move() const {
        if (step.heir) end_at(s, false);
        for (u32 left = near(); left; left &= left - 1) end_at(slot_of(left), true);
    }
    // The square is bare: it gets two moves, to a and its heir, or to a and b.
    void two_moves() const {
        for (u32 left = near(); left; left &= left - 1) {
            const int a = slot_of(left);
            if (step.heir) link(a, s);
            for (u32 rest = left & (left - 1); rest; rest &= rest - 1) link(a, slot_of(rest));
        }
    }
};
// Maximum number of choices.
constexpr i64 MAX_CHOICES = 160;

// Step of a half on classes. folds: whether to keep only the lower of two children that are flips of each other.
struct Stepping {
    Array<const Step> step;
    i64 folds;
    Array<const i64> flip;

    // Call use(child, operation) for every result of the step on the class.
    template <class Use>
    void each_child(const Class &c, Use use) const {
        auto emit = [&](Class child, i64 code) {
            if (folds && child.fold(flip)) code |= FLIPPED;
            use(child, code);
        };
        Choices<decltype(emit)>{step[0], c, emit}.list();
    }
};

// ---------------------------------------------------------------- middle moves

// A subset of the middle moves of a half: the slots with one move, the slots with two moves, and the moves.
struct Subset {
    using Item = i64;
    i64 once, twice, moves;
};

// Results of subsets of the middle moves on a class. is_folded without joins_folded: also on its flip. joins_folded:
// the lower of two flips represents both.
struct Adding {
    Array<const Subset> subsets;
    i64 is_folded, joins_folded;
    Array<const i64> flip;

    template <class Use>
    void each_final(const Class &c, Use use) const {
        for (int turn = 0; turn < (is_folded && !joins_folded ? 2 : 1); turn++) {
            const Class base = turn ? c.flipped(flip) : c;
            for (const Subset &x : subsets) {
                const u32 once = u32(x.once), twice = u32(x.twice);
                if ((base.inner & (once | twice)) || (base.ends & twice)) continue;
                Class made{base.placed, base.inner | twice | (base.ends & once), (base.ends ^ once) & ~twice};
                if (joins_folded) made.fold(flip);
                use(made);
            }
        }
    }
};

}  // namespace
