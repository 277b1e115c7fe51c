// Polynomials of the states of last classes, and their products. See algebras.h for how they are packed.
#pragma once
#include "join.h"

namespace {

// A word whose polynomial is elsewhere.
struct Bare {
    using Item = i64;
    u64 word;
};

// A half. lows, highs: the least and the largest value of each class. Its polynomials have widths[j] packed numbers, the
// first ones from sums[at[j]] on. values: of each subset of the middle moves.
struct PolynomialHalf {
    SideOf<Bare> side;
    Array<const i64> lows, highs, widths, at, sums, values;
};

// The values that the states of a class have: the least, and how many packed numbers hold those from there on.
struct Extent {
    i64 low = i64(1) << 40, width = 0;

    Extent(const PolynomialHalf &half, const Sources &sources, i64 fields) {
        i64 high = 0;
        for (const Source &source : sources.found) {
            const i64 value = half.values[source.subset];
            const i64 least = half.lows[source.number] + value, most = half.highs[source.number] + value;
            low = least < low ? least : low;
            high = most > high ? most : high;
        }
        width = (high - low) / fields + 1;
    }
};

// Gathers polynomials: a word's value is the number of its polynomial among `sums`, from 1.
struct EnteringPolynomials {
    const PolynomialHalf &half;
    const Packing &packing;
    const Extent extent;
    const Array<i64> &sums;
    i64 n = 0;

    void operator()(i64 &number, const SideOf<Bare> &side, i64 state, const Source &source) {
        if (number == 0) {
            number = ++n;
            for (i64 &sum : sums.part((number - 1) * extent.width, extent.width)) sum = 0;
        }
        const i64 width = half.widths[source.number];
        const i64 first = half.at[source.number] + (state - side.offsets[source.number]) * width;
        const i64 shift = half.lows[source.number] + half.values[source.subset] - extent.low;
        const Array<i64> to = sums.part((number - 1) * extent.width, extent.width);
        Moved(packing, shift).each(half.sums.part(first, width), [&](i64 j, i64 more) { to[j] += more; });
    }
};

// Room for one thread. left, right: packed, of one class. plain: those of the left, not packed. part: the sums of a class
// by degree.
struct PolynomialRoom {
    Array<i64> left, right, plain, part;
};

// Two classes with their polynomials, gathered; adds up the products of those that fit.
struct Products {
    const Packing &packing;
    const PolynomialRoom &room;
    const i64 width, other_width;  // packed numbers of a left and of a right polynomial
    const u64 field = (u64(1) << packing.bits) - 1;

    i64 degrees() const { return (width + other_width) * packing.fields; }

    template <class Word>
    void add_up(const Pairing<Word, SideOf<Bare>> &pairing, const Tables &tables) const {
        const Scratch &scratch = pairing.room;
        unpack(pairing.n_left);
        for (i64 &sum : room.part.part(0, degrees())) sum = 0;
        for (i64 j = 0; j < other_width; j++) {
            for (i64 i = 0; i < pairing.n_right; i++) scratch.right[i].value = room.right[i * other_width + j];
            pairing.template complete<Sum>(tables);
            for (i64 i = 0; i < pairing.n_left; i++)
                add(scratch.values[i] - 1, u64(scratch.ways[i]), j * packing.fields);
        }
    }

private:
    void unpack(i64 n) const {
        i64 k = 0;
        for (const i64 number : room.left.part(0, n * width)) {
            u64 packed = u64(number);
            for (i64 j = 0; j < packing.fields; j++, packed >>= packing.bits) room.plain[k++] = i64(packed & field);
        }
    }
    // Add left polynomial `number` times the packed coefficients, the first of which is that of `degree`.
    void add(i64 number, u64 packed, i64 degree) const {
        const i64 count = width * packing.fields;
        const i64 *plain = room.plain.part(number * count, count).at;
        for (; packed; packed >>= packing.bits, degree++) {
            const i64 way = i64(packed & field);
            i64 *part = room.part.part(degree, count).at;
            for (i64 j = 0; j < count && way; j++) part[j] += plain[j] * way;
        }
    }
};

}  // namespace
