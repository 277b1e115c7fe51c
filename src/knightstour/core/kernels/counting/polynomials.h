// Algebra "polynomials" in the join: the polynomials of the states of final classes, and their products. See
// algebras.h.
#pragma once
#include "join.h"

namespace {

struct PolynomialHalf {
    SideOf<i64> side;
    Array<const i64> lows, highs, values;
};

// Values of the states of a class: the minimum, and the number of packed numbers from there on.
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

// Gathers polynomials: the value of a word is the index of its polynomial in `sums`, from 1.
struct EnteringPolynomials {
    const PolynomialHalf &half;
    const Packing &packing;
    const Extent extent;
    const Array<i64> &sums;
    i64 n = 0;

    void operator()(i64 &number, const SideOf<i64> &side, i64 state, const Source &source) {
        if (number == 0) {
            number = ++n;
            for (i64 &sum : sums.part((number - 1) * extent.width, extent.width)) sum = 0;
        }
        const i64 shift = half.lows[source.number] + half.values[source.subset] - extent.low;
        const Array<i64> to = sums.part((number - 1) * extent.width, extent.width);
        Moved(packing, shift).each(side.states.part(state + 1, side.widths[source.number]), [&](i64 j, i64 more) {
            to[j] += more;
        });
    }
};

// Two classes with their gathered polynomials; adds the products of compatible ones. left, right: packed. plain: the
// sums by degree, and the unpacked left polynomials.
struct Products {
    const Packing &packing;
    const i64 width, other_width;  // packed numbers of a left and a right polynomial
    const u64 field = (u64(1) << packing.bits) - 1;
    const Array<i64> left, right, plain;

    // most: polynomials per half. items: the buffer.
    Products(const Packing &packing, i64 width, i64 other_width, i64 most, Parts &items)
        : packing(packing),
          width(width),
          other_width(other_width),
          left(items.next<i64>(most * width)),
          right(items.next<i64>(most * other_width)),
          plain(items.next<i64>(degrees() + most * width * packing.fields)) {}

    i64 degrees() const { return (width + other_width) * packing.fields; }

    template <class Word>
    void add_up(const Pairing<Word, SideOf<i64>> &pairing, const Tables &tables) const {
        const Scratch &scratch = pairing.room;
        unpack(pairing.n_left);
        for (i64 &sum : plain.part(0, degrees())) sum = 0;
        for (i64 j = 0; j < other_width; j++) {
            for (i64 i = 0; i < pairing.n_right; i++) scratch.right[i].value = right[i * other_width + j];
            pairing.template complete<Sum>(tables);
            for (i64 i = 0; i < pairing.n_left; i++)
                add(scratch.values[i] - 1, u64(scratch.ways[i]), j * packing.fields);
        }
    }

private:
    void unpack(i64 n) const {
        i64 k = degrees();
        for (const i64 number : left.part(0, n * width)) {
            u64 packed = u64(number);
            for (i64 j = 0; j < packing.fields; j++, packed >>= packing.bits) plain[k++] = i64(packed & field);
        }
    }
    // Add left polynomial `number` times the packed coefficients, which start at `degree`.
    void add(i64 number, u64 packed, i64 degree) const {
        const i64 count = width * packing.fields;
        const i64 *polynomial = plain.part(degrees() + number * count, count).at;
        for (; packed; packed >>= packing.bits, degree++) {
            const i64 way = i64(packed & field);
            i64 *sums = plain.part(degree, count).at;
            for (i64 j = 0; j < count && way; j++) sums[j] += polynomial[j] * way;
        }
    }
};

}  // namespace
