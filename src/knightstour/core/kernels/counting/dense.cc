// Rule "any squares" on matchings: process a square for all states. See dense.py for the arrays.
//
// States that differ only in slots that a step does not touch form a group, and the result of a group is a group. The
// step is therefore done in place, and several threads process groups. The operations on the numbers are an *algebra*.
#include "matchings.h"

namespace {

// Changes of a matching: an end moves to another slot, two ends are added as mates, two ends are joined.
enum Kind : i64 { MOVED, ADDED, JOINED };

// Offsets of the classes. A class is two sets of slots: the ends, and the finished squares.
struct Layout {
    Array<const i64> base;     // by the set of ends: offset of its first class
    Array<const i64> code;     // by a set of slots: the sum of the powers of 3
    Array<const u8> squeezed;  // by 256 * kept + set: the kept bits of a byte, compacted
    i64 slots;

    i64 place(u64 ends, u64 done) const {
        const u64 others = ~ends & (bit_of(slots) - 1);
        u64 packed = 0;
        i64 shift = 0;
        for (i64 from = 0; from < slots; from += 8) {
            const u64 kept = others >> from & 255;
            packed |= u64(squeezed[i64(kept << 8 | (done >> from & 255))]) << shift;
            shift += count_of(kept);
        }
        return base[i64(ends)] + i64(packed) * MATCHINGS[count_of(ends) / 2];
    }
    // The index of a class, whose slots are digits of base 3.
    i64 class_of(u64 ends, u64 done) const { return 2 * code[i64(ends)] + code[i64(done)]; }
};

// Target of each matching, by kind, number of pairs before (for ADDED after), and positions of two ends.
struct Changes {
    Array<const i32> targets;
    Array<const i64> first;  // (kind, pairs, place, place); -1 for a missing change

    Array<const i32> of(i64 kind, i64 pairs, i64 i, i64 j) const {
        const i64 at = first[((kind * (MAX_PAIRS + 1) + pairs) * 2 * MAX_PAIRS + i) * 2 * MAX_PAIRS + j];
        return targets.part(at, MATCHINGS[kind == ADDED ? pairs - 1 : pairs]);
    }
};

// A step. The square in slot `square` is processed; `near`: the slots of its later neighbours, including its own if a
// new square inherits it. touched: these slots; others: all other slots in use. ends: the slot of the joined ends of an
// open tour, or -1.
struct Step {
    i64 square, touched, others, ends;
    Array<const i64> near;
};

// Arrays of a thread. For each pattern of the touched slots, two sets: the offset of its states in `room`, and whether
// it has states. place: index of a pattern, by its two sets, each compacted to the touched slots.
struct Pattern {
    using Item = i64;
    i64 ends, done, first, is_filled;
};

// Sum modulo a word-sized number; for modulus 0, modulo the capacity with an overflow flag.
template <class Word>
struct Sum {
    using Number = Word;
    Word modulus;
    u64 carried = 0;

    void add(Word &sum, Word number, i64) {
        if (modulus) {
            const Word lacks = Word(modulus - number);
            sum = sum < lacks ? Word(sum + number) : Word(sum - lacks);
        } else {
            sum = Word(sum + number);
            carried |= u64(sum < number);
        }
    }
};

// Maximum number of moves plus one; 0 for unreached states.
struct Most {
    using Number = u8;
    u64 carried = 0;

    void add(u8 &most, u8 number, i64 moves) const {
        const u8 made = number ? u8(number + moves) : u8(0);
        if (made > most) most = made;
    }
};

template <class Algebra>
struct Sweep {
    using Number = typename Algebra::Number;
    Algebra algebra;
    const Layout &layout;
    const Changes &changes;
    const Step &step;
    Array<Number> states;
    Array<u8> filled;
    Array<Pattern> patterns;
    Array<const i64> place;
    Array<Number> room;
    Array<Number> total;
    u64 other_ends = 0, other_done = 0;

    static i64 below(u64 set, i64 slot) { return count_of(set & (bit_of(slot) - 1)); }

    // The bits of a set at the touched slots, compacted.
    i64 squeezed(u64 set) const {
        i64 found = 0, at = 0;
        each_of(u64(step.touched), [&](i64 slot) { found |= i64(set >> slot & 1) << at++; });
        return found;
    }

    Array<Number> target(u64 ends, u64 done) {
        Pattern &pattern = patterns[place[squeezed(ends) << count_of(u64(step.touched)) | squeezed(done)]];
        pattern.is_filled = 1;
        return room.part(pattern.first, MATCHINGS[count_of(ends) / 2]);
    }

    void as_it_is(const Array<Number> &from, u64 ends, u64 done, i64 moves) {
        const Array<Number> to = target(ends, done);
        for (i64 r = 0; r < from.size; r++) algebra.add(to[r], from[r], moves);
    }

    void changed(const Array<Number> &from, const Array<const i32> &where, u64 ends, u64 done, i64 moves) {
        const Array<Number> to = target(ends, done);
        for (i64 r = 0; r < from.size; r++)
            if (where[r] >= 0) algebra.add(to[where[r]], from[r], moves);
    }

    // The only path closes: a tour, if the ends of an open one are included.
    void close(const Array<Number> &from, u64 done, i64 p, i64 q, i64 moves) {
        const bool has_ends = step.ends < 0 || p == step.ends || q == step.ends || (done & bit_of(step.ends));
        if (has_ends) algebra.add(total[0], from[0], moves);
    }

    i64 moves_to(i64 slot) const { return slot != step.ends; }

    void from_bare(const Array<Number> &from, u64 ends, u64 done) {
        as_it_is(from, ends, done, 0);
        for (i64 x = 0; x < step.near.size; x++) {
            const i64 p = step.near[x];
            if (done & bit_of(p)) continue;
            for (i64 y = x + 1; y < step.near.size; y++) {
                const i64 q = step.near[y];
                if (!(done & bit_of(q))) join(from, ends, done, p, q, moves_to(p) + moves_to(q));
            }
        }
    }

    // Join slots p and q: a bare square is joined to both, or an end, in slot p, to q. The square is then finished; if
    // its slot is p or q and bare, a new square inherits it.
    void join(const Array<Number> &from, u64 ends, u64 done, i64 p, i64 q, i64 moves) {
        const i64 low = p < q ? p : q, high = p < q ? q : p, pairs = count_of(ends) / 2;
        const bool p_ends = ends & bit_of(p), q_ends = ends & bit_of(q);
        const u64 both = bit_of(p) | bit_of(q), kept = ~bit_of(step.square);
        if (!p_ends && !q_ends) {
            const Array<const i32> where =
                changes.of(ADDED, pairs + 1, below(ends | both, low), below(ends | both, high));
            changed(from, where, ends | both, done, moves);
        } else if (p_ends && q_ends) {
            if (pairs == 1) return close(from, done, p, q, moves);
            const Array<const i32> where = changes.of(JOINED, pairs, below(ends, low), below(ends, high));
            changed(from, where, ends & ~both, (done | both) & kept, moves);
        } else {
            const i64 old = p_ends ? p : q, fresh = p_ends ? q : p;
            const u64 after = ends ^ both;
            const Array<const i32> where = changes.of(MOVED, pairs, below(ends, old), below(after, fresh));
            changed(from, where, after, (done | bit_of(old)) & kept, moves);
        }
    }

    void from_end(const Array<Number> &from, u64 ends, u64 done) {
        for (const i64 slot : step.near) {
            if (slot == step.square) {  // the heir becomes the end, in the same slot
                as_it_is(from, ends, done, 1);
            } else if (!(done & bit_of(slot))) {
                join(from, ends, done, step.square, slot, moves_to(slot));
            }
        }
    }

    void expand(const Pattern &pattern) {
        const u64 ends = other_ends | u64(pattern.ends), done = other_done | u64(pattern.done);
        const u64 square = bit_of(step.square);
        const Array<Number> from = states.part(layout.place(ends, done), MATCHINGS[count_of(ends) / 2]);
        if (done & square)
            as_it_is(from, ends, done & ~square, 0);
        else if (ends & square)
            from_end(from, ends, done);
        else
            from_bare(from, ends, done);
    }

    bool is_filled(const Pattern &pattern) const {
        return filled[layout.class_of(other_ends | u64(pattern.ends), other_done | u64(pattern.done))];
    }

    // Process the square for the states of one group. Returns the new number of states.
    i64 group() {
        bool any = false;
        i64 size = 0;
        for (const Pattern &pattern : patterns) any |= is_filled(pattern);
        if (!any) return 0;
        for (Pattern &pattern : patterns) {
            const i64 ends = count_of(other_ends | u64(pattern.ends));
            pattern.first = size;
            pattern.is_filled = 0;
            if (ends % 2 == 0) size += MATCHINGS[ends / 2];
        }
        for (Number &number : room.part(0, size)) number = 0;
        for (const Pattern &pattern : patterns)
            if (is_filled(pattern)) expand(pattern);
        i64 made = 0;
        for (const Pattern &pattern : patterns) made += keep(pattern);
        return made;
    }

    // Store the states of a pattern. Returns their number.
    i64 keep(const Pattern &pattern) {
        const u64 ends = other_ends | u64(pattern.ends), done = other_done | u64(pattern.done);
        u8 &was = filled[layout.class_of(ends, done)];
        if (!pattern.is_filled && !was) return 0;
        const i64 size = MATCHINGS[count_of(ends) / 2];
        const Array<Number> to = states.part(layout.place(ends, done), size);
        i64 made = 0;
        for (i64 r = 0; r < size; r++) {
            to[r] = pattern.is_filled ? room[pattern.first + r] : Number(0);
            made += to[r] != 0;
        }
        was = made > 0;
        return made;
    }

    i64 groups(i64 first, i64 last) {
        i64 made = 0;
        for (i64 number = first; number < last; number++) {
            i64 left = number;
            other_ends = other_done = 0;
            each_of(u64(step.others), [&](i64 slot) {
                if (left % 3 == 2) other_ends |= bit_of(slot);
                if (left % 3 == 1) other_done |= bit_of(slot);
                left /= 3;
            });
            made += group();
        }
        return made;
    }
};

// Process groups first ... last-1 of a step. total: complete tours are added; and an overflow flag. Returns the number
// of states afterwards.
i64 dense_counts(Layout layout, Changes changes, Step step, AnyOf<u64, u16> states, Array<u8> filled,
                 Array<Pattern> patterns, Array<const i64> place, AnyOf<u64, u16> room, AnyOf<u64, u16> total,
                 u64 modulus, i64 first, i64 last) {
    return states.visit([&](auto numbers) {
        using Word = typename decltype(numbers)::Type;
        const Array<Word> sums = total.as<Word>();
        Sweep<Sum<Word>> sweep{{Word(modulus)}, layout, changes,         step, numbers, filled,
                               patterns,        place,  room.as<Word>(), sums};
        const i64 made = sweep.groups(first, last);
        sums[1] |= Word(sweep.algebra.carried);
        return made;
    });
}

i64 dense_most(Layout layout, Changes changes, Step step, Array<u8> states, Array<u8> filled, Array<Pattern> patterns,
               Array<const i64> place, Array<u8> room, Array<u8> total, i64 first, i64 last) {
    return Sweep<Most>{{}, layout, changes, step, states, filled, patterns, place, room, total}.groups(first, last);
}

// Targets of matchings first ... last-1: an item of Changes. A pair that is joined to itself has no target.
i64 dense_change(Array<i32> targets, i64 kind, i64 pairs, i64 i, i64 j, i64 first, i64 last) {
    const i64 ends = 2 * (kind == ADDED ? pairs - 1 : pairs);
    const i64 after = 2 * (kind == JOINED ? pairs - 1 : pairs);
    i64 to[2 * MAX_PAIRS] = {}, next = 0;  // new position of each old end
    const auto is_gone = [&](i64 x) { return kind == JOINED && (x == i || x == j); };
    const auto is_taken = [&](i64 place) { return (kind == ADDED && place == i) || (kind != JOINED && place == j); };
    for (i64 x = 0; x < ends; x++) {
        if (is_gone(x)) continue;
        while (is_taken(next)) next++;
        to[x] = kind == MOVED && x == i ? j : next++;
    }
    const auto all = [](i64 count) { return u32(bit_of(count) - 1); };
    for (i64 rank = first; rank < last; rank++) {
        i64 old[2 * MAX_PAIRS], made[2 * MAX_PAIRS] = {};
        each_pair(rank, all(ends), int(ends / 2), [&](int a, int b) {
            old[a] = b;
            old[b] = a;
        });
        for (i64 x = 0; x < ends; x++)
            if (!is_gone(x)) made[to[x]] = to[old[x]];
        if (kind == ADDED) {
            made[i] = j;
            made[j] = i;
        }
        if (kind == JOINED) {
            if (old[i] == j) {
                targets[rank] = -1;
                continue;
            }
            made[to[old[i]]] = to[old[j]];
            made[to[old[j]]] = to[old[i]];
        }
        targets[rank] = i32(rank_by(all(after), int(after / 2), [&](int a) { return made[a]; }));
    }
    return 0;
}

}  // namespace

EXPORT_KERNEL(dense_counts)
EXPORT_KERNEL(dense_most)
EXPORT_KERNEL(dense_change)
