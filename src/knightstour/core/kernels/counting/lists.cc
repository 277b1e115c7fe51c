// Encoding "lists by class": construction of lists for each algebra, and sorting. See classes.py for the arrays.
#include "lists.h"

#include "sorting.h"

namespace {

using Counted = WithValue<i64>;
using Weighted = WithValue<double>;

// Build the lists of targets first .. last-1, with exact counts or, for a nonzero pair of primes, residues. Returns the
// number of states.
i64 lists_pull_counts(ByTarget edges, Lists before, Array<const Counted> states, Made made, Array<Counted> out,
                      Turn turn, Array<i32> table, i64 primes, i64 first, i64 last) {
    const Beside<i64> lists{before, states, out};
    auto pull = [&](auto word, auto algebra) {
        using P = Pull<decltype(word), decltype(algebra)>;
        return P{edges, before.classes, before.lengths, made, turn, table, algebra}.run(first, last);
    };
    return with_words(
        turn, [&](auto word) { return primes ? pull(word, Residues(lists, primes)) : pull(word, Exact{lists}); });
}

// For polynomials. widths, new_widths: packed numbers per state of each class, before and after. shifts: shift of the
// polynomials by each edge.
i64 lists_pull_polynomials(ByTarget edges, Lists before, Array<const i64> states, Made made, Array<i64> out, Turn turn,
                           Array<i32> table, Array<const i64> widths, Array<const i64> new_widths,
                           Array<const i64> shifts, Packing packing, i64 first, i64 last) {
    using P = Pull<Narrow, Polynomials>;
    const Polynomials algebra{before, states, out, widths, new_widths, shifts, packing};
    return P{edges, before.classes, before.lengths, made, turn, table, algebra}.run(first, last);
}

// Sort the lists of classes first .. last-1 in place.
i64 lists_sort_in_place(Array<const i64> offsets, Array<const i64> lengths, Array<Counted> states, i64 first,
                        i64 last) {
    for (i64 j = first; j < last; j++) sort_states(states.part(offsets[j], lengths[j]));
    return 0;
}

}  // namespace

EXPORT_KERNEL(lists_pull_counts)
EXPORT_KERNEL(lists_pull_polynomials)
EXPORT_KERNEL(lists_sort_in_place)
