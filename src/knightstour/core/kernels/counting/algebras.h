// Algebras of lists: the value of a state, and how values are stored and added. A parameter of `Pull`.
//
// An algebra has the input lists and the output list:
//
//   read(e, source)    the next states are those of list `source`, the source of edge e
//   write(t, place)    the next output is the list of target t, after `place` items of others
//   items(n)           number of items for the list of n states
//   word(i), made(n)   the word of input state i, and of output state n
//   put(n, word, i)    output state n gets this word and the value of input state i
//   add(n, i)          the value of input state i is added to output state n
//   mass(n)            the list is complete, with n states: the sum of their values
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

// For numbers of 64 bits, beside their words.
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

// The same modulo two primes below 2**31 at once: the residue modulo the first below, that modulo the second above. The
// two primes are one number in the same way. There is no mass.
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
// Coefficients are packed: `fields` per number, `bits` bits each, the lowest first. No coefficient, and no sum of some,
// reaches 2**bits, since a class has fewer partial tours; so packed numbers can be added directly.
struct Packing {
    i64 bits, fields;
};
// A move of polynomials up, by `shift` coefficients.
struct Moved {
    i64 skip = 0, up = 0, down = 0;  // numbers, and bits of one

    Moved() = default;
    Moved(const Packing &packing, i64 shift)
        : skip(shift / packing.fields),
          up(packing.bits * (shift % packing.fields)),
          down(packing.bits * packing.fields - up) {}

    // use(j, number) for the packed numbers of a polynomial, moved up: j begins at `skip`. Returns the j after the last.
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
// A state is its word followed by its packed numbers; widths[j]: number of packed numbers per state of class j.
struct Polynomials {
    Lists before;
    Array<const i64> states;
    Array<i64> out;
    Array<const i64> widths, new_widths;
    Array<const i64> shifts;  // number of coefficients by which an edge shifts a polynomial
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

    // The packed numbers of an input state, and of an output state.
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
