// Lists by class, for any words and algebra: the lists of a layer, pulled from the layer before.
#pragma once
#include "algebras.h"

namespace {

// A hash table of the words of a list: indices, or -1. Its size is a power of two greater than the length of the list.
struct Places {
    Array<i32> table;
    i64 mask;
    int shift;

    Places(const Array<i32> &scratch, i64 room)
        : table(scratch.part(0, room)), mask(room - 1), shift(__builtin_clzll(u64(mask | 1))) {
        __builtin_memset(table.at, -1, sizeof(i32) * u64(room));
    }
    // Table item of a word, or its free place. is_at(n): whether it is word n of the list.
    template <class Is>
    [[gnu::always_inline]] i32 &find(u64 word, Is is_at) const {
        i64 k = i64(hash_of(word) >> shift);
        while (table[k] >= 0 && !is_at(table[k])) k = (k + 1) & mask;
        return table[k];
    }
};

// Edges of a step by target: edges to class t of the new layer are edges[starts[t]] .. edges[starts[t + 1] - 1].
struct ByTarget {
    Array<const i64> starts, edges;
};
// The output lists, consecutive from 0. room[t]: a power of two greater than the maximum length of list t.
struct Made {
    Array<const i64> room;
    Array<i64> offsets, lengths;
    Array<double> masses;
};

template <class Word, class Algebra>
struct Pull {
    const ByTarget edges;
    const Array<const i64> classes, lengths;  // source layer
    const Made made;
    const Turn turn;
    const Array<i32> scratch;
    Algebra algebra;

    // Build the lists of targets first .. last-1. Returns the number of items.
    i64 run(i64 first, i64 last) {
        i64 place = 0;
        for (i64 t = first; t < last; t++) {
            algebra.write(t, place);
            const i64 n = list(t);
            made.offsets[t] = place;
            made.lengths[t] = n;
            made.masses[t] = algebra.mass(n);
            place += algebra.items(n);
        }
        return place;
    }

private:
    // Build the list of one target; return its number of states.
    i64 list(i64 t) {
        const i64 begin = edges.starts[t], end = edges.starts[t + 1];
        i64 n = 0;
        if (end - begin == 1 && !Operation::of(edges.edges[begin]).may_fail()) {
            // With one source and an injective operation no table is needed.
            pull(begin, [&](auto name, auto flips) { n = copy(name, flips, n, edges.edges[begin], algebra); });
        } else if (begin < end) {
            const Places places(scratch, made.room[t]);
            for (i64 e = begin; e < end; e++)
                pull(e, [&](auto name, auto flips) { n = merge(name, flips, n, edges.edges[e], algebra, places); });
        }
        return n;
    }
    template <class Use>
    void pull(i64 e, Use use) {
        const i64 code = edges.edges[e];
        algebra.read(e, code >> OP_BITS);
        with_name(Operation::of(code).name, [&](auto name) { use(name, (code & FLIPPED) != 0); });
    }
    // The result of an operation on a word.
    template <class Name>
    struct Change {
        const bool flips;
        const Operation op;
        const u32 ends, ends_after;
        const Turn turn;

        Change(const Pull &pull, bool is_flipped, i64 code)
            : flips(is_flipped),
              op(Operation::of(code)),
              ends(Class::of(pull.classes[code >> OP_BITS]).ends),
              ends_after(op.ends_after(ends)),
              turn(pull.turn) {}
        [[gnu::always_inline]] u64 operator()(u64 word) const {
            word = Word::changed(word, Name(), op.a, op.b, ends);
            if (flips && word != NO_WORD) word = Word::turned(word, ends_after, turn);
            return word;
        }
    };
    // The algebra is passed by value, so that it stays in registers.
    template <class Name>
    i64 copy(Name, bool flips, i64 n, i64 code, const Algebra its) const {
        const Change<Name> change(*this, flips, code);
        const i64 count = lengths[code >> OP_BITS];
        for (i64 i = 0; i < count; i++) its.put(n++, change(its.word(i)), i);
        return n;
    }
    template <class Name>
    i64 merge(Name name, bool flips, i64 n, i64 code, const Algebra its, const Places places) const {
        const Change<Name> change(*this, flips, code);
        const i64 count = lengths[code >> OP_BITS];
        for (i64 i = 0; i < count; i++) {
            const u64 word = change(its.word(i));
            if ((name == JOIN || name == LOOSEN_LAST) && word == NO_WORD) continue;
            i32 &place = places.find(word, [&](i64 k) { return its.made(k) == word; });
            if (place >= 0) {
                its.add(place, i);
            } else {
                place = i32(n);
                its.put(n++, word, i);
            }
        }
        return n;
    }
};

}  // namespace
