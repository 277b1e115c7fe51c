// Algebras of lists: the value of a state, with its storage and addition. A parameter of `Pull`.
//
// An algebra has the input lists and the output list:
//
//   read(e, source)    the next states belong to list `source`, the source of edge e
//   write(t, place)    the next output is the list of target t, after `place` items
//   items(n)           number of items for a list of n states
//   word(i), made(n)   the words of input state i and output state n
//   put(n, word, i)    output state n gets this word and the value of input state i
//   add(n, i)          add the value of input state i to output state n
//   mass(n)            sum of the values of a complete list of n states
#pragma once
#include "classes.h"

namespace {

// The lists of a layer: class j has lengths[j] states, from offsets[j] on.
struct Lists {
    Array<const i64> classes, offsets, lengths;
};

template <class Value>
struct WithValue {
    using Item = i64;
    u64 word;
    Value value;
};

// Values of 64 bits, each next to its word.
template <class Value>
struct Beside {
    Lists before;
    Array<const WithValue<Value>> states;
    Array<WithValue<Value>> out;
    Array<const WithValue<Value>> from = {};
    Array<WithValue<Value>> list = {};

    void read(i64, i64 source) { from = states.part(before.offsets[source], before.lengths[source]); }
    void write(i64, i64 place) { list = out.part(place, out.size - place); }
    i64 items(i64 n) const { return n; }
    u64 word(i64 i) const { return from[i].word; }
    u64 made(i64 n) const { return list[n].word; }
};

// Number of partial tours of a state, which must stay below 2**62.
struct Exact : Beside<i64> {
    void put(i64 n, u64 word, i64 i) const { list[n] = {word, from[i].value}; }
    void add(i64 n, i64 i) const { list[n].value += from[i].value; }
    double mass(i64 n) const {
        i64 sum = 0;
        for (const auto &state : list.part(0, n)) sum += state.value;
        return double(sum);
    }
};

// The number modulo two primes below 2**31: residue modulo the first prime in the low bits, modulo the second above.
// The two primes are packed in the same way. There is no mass.
struct Residues : Beside<i64> {
    i64 primes;
    Residues(const Beside<i64> &lists, i64 both) : Beside<i64>(lists), primes(both) {}

    static i64 sum(i64 a, i64 b, i64 prime) { return a + b < prime ? a + b : a + b - prime; }
    static i64 low(i64 pair) { return pair & ((i64(1) << 31) - 1); }

    void put(i64 n, u64 word, i64 i) const { list[n] = {word, from[i].value}; }
    void add(i64 n, i64 i) const {
        const i64 a = list[n].value, b = from[i].value;
        list[n].value = sum(low(a), low(b), low(primes)) | sum(a >> 31, b >> 31, primes >> 31) << 31;
    }
    double mass(i64) const { return 0; }
};

// A polynomial: coefficient k is the number of partial tours with value k above the minimum of their class.
// Coefficients are packed: `fields` per number, `bits` bits each, the lowest first. Packed numbers can be added
// directly, since every sum of coefficients is below 2**bits, the bound for the partial tours of a class.
struct Packing {
    i64 bits, fields;
};
// A shift of polynomials by `shift` coefficients upwards.
struct Moved {
    i64 skip = 0, up = 0, down = 0;  // numbers, and bits of one

    Moved() = default;
    Moved(const Packing &packing, i64 shift)
        : skip(shift / packing.fields),
          up(packing.bits * (shift % packing.fields)),
          down(packing.bits * packing.fields - up) {}

    // Call use(j, number) for the shifted packed numbers of a polynomial, from j = `skip` on. Returns the end of j.
    template <class Use>
    [[gnu::always_inline]] i64 each(const Array<const i64> &its, Use use) const {
        const u64 low = (u64(1) << down) - 1;
        u64 carried = 0;
        i64 j = skip;
        for (const i64 number : its) {
            const u64 packed = u64(number);
            use(j++, i64((packed & low) << up | carried));
            carried = packed >> down;
        }
        if (carried) use(j++, i64(carried));
        return j;
    }
};
// A state is its word followed by its packed numbers; widths[j]: packed numbers per state of class j.
struct Polynomials {
    Lists before;
    Array<const i64> states;
    Array<i64> out;
    Array<const i64> widths, new_widths;
    Array<const i64> shifts;  // shift of polynomials by each edge
    Packing packing;
    Array<const i64> from = {};
    Array<i64> list = {};
    Moved moved = {};  // NOLINT(readability-redundant-member-init): GCC wants one
    i64 old_size = 0, size = 0;

    void read(i64 e, i64 source) {
        old_size = 1 + widths[source];
        from = states.part(before.offsets[source], before.lengths[source] * old_size);
        moved = Moved(packing, shifts[e]);
    }
    void write(i64 t, i64 place) {
        list = out.part(place, out.size - place);
        size = 1 + new_widths[t];
    }
    i64 items(i64 n) const { return n * size; }
    u64 word(i64 i) const { return u64(from[i * old_size]); }
    u64 made(i64 n) const { return u64(list[n * size]); }

    // The packed numbers of an input or output state.
    Array<const i64> of(i64 i) const { return from.part(i * old_size + 1, old_size - 1); }
    Array<i64> its(i64 n) const { return list.part(n * size + 1, size - 1); }
    void put(i64 n, u64 word, i64 i) const {
        list[n * size] = i64(word);
        const Array<i64> to = its(n);
        for (i64 j = 0; j < moved.skip; j++) to[j] = 0;
        i64 j = moved.each(of(i), [&](i64 k, i64 number) { to[k] = number; });
        for (; j < to.size; j++) to[j] = 0;
    }
    void add(i64 n, i64 i) const {
        const Array<i64> to = its(n);
        moved.each(of(i), [&](i64 k, i64 number) { to[k] += number; });
    }
    double mass(i64 n) const {
        u64 sum = 0;
        const u64 field = (u64(1) << packing.bits) - 1;
        for (i64 i = 0; i < n; i++)
            for (const i64 packed : its(i))
                for (u64 left = u64(packed); left; left >>= packing.bits) sum += left & field;
        return double(sum);
    }
};

}  // namespace
