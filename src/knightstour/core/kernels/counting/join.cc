// The join for numbers and polynomials: the number of tours of two halves. See join.py for the arrays.
#include "join.h"

#include "polynomials.h"

namespace {

// Join classes finals[counters.next] .. finals[last-1] of the left half with their partners. Adds to total, in digits,
// or with a modulus the residue to total[0]; bound: at least the sum. Returns DONE, FULL if the next class needs larger
// buffers, or TOO_LARGE if its counts might reach most_count.
template <class Word>
Status add_numbers(Array<const i64> finals, const Side &left, const Side &right, const Fit &fit, const Room &room,
                   const Tables &tables, i64 modulus, double most_count, Counters &now, Digits &total, double &bound,
                   i64 last) {
    for (; now.next < last; now.next++) {
        Pairing<Word, Side> pairing(Class::of(finals[now.next]), left, right, fit, room);
        if (!pairing.taken.fits(now)) return FULL;
        if (pairing.is_empty()) continue;
        if (modulus == 0 && (pairing.mine.mass >= most_count || pairing.others.mass >= most_count)) return TOO_LARGE;
        const i64 weight = pairing.joint.weight;
        bound += double(weight) * pairing.mine.mass * pairing.others.mass;
        if (!pairing.gather(Entering<Sum>(), Entering<Sum>())) continue;
        pairing.template complete<Sum>(tables);
        for (i64 i = 0; i < pairing.n_left; i++) {
            const i64 count = weight * pairing.room.values[i], ways = pairing.room.ways[i];
            if (modulus)
                total.of[0] = (total.of[0] + count % modulus * (ways % modulus)) % modulus;
            else
                total.add_product(count, ways);
        }
    }
    return DONE;
}
i64 join_numbers(Array<const i64> finals, Side left, Side right, Fit fit, Room room, Tables tables, i64 modulus,
                 double most_count, Array<Counters> counters, Array<Digits> total, Array<double> bound, i64 last) {
    return with_words(left.turn, [&](auto word) {
        return i64(add_numbers<decltype(word)>(finals, left, right, fit, room, tables, modulus, most_count, counters[0],
                                               total[0], bound[0], last));
    });
}

// For polynomials: add the number of tours with value k to total[k].
struct Valued {
    using Item = i64;
    i64 low, high;
};
i64 join_polynomials(Array<const i64> finals, PolynomialHalf left, PolynomialHalf right, Fit fit, Packing packing,
                     Room room, Tables tables, Array<Counters> counters, Array<Valued> total, i64 last) {
    Counters &now = counters[0];
    const double most_mass = double(i64(1) << packing.bits);
    for (; now.next < last; now.next++) {
        Pairing<Narrow, SideOf<i64>> pairing(Class::of(finals[now.next]), left.side, right.side, fit, room);
        if (!pairing.taken.fits(now)) return FULL;
        if (pairing.is_empty()) continue;
        if (pairing.mine.mass >= most_mass || pairing.others.mass >= most_mass) return TOO_LARGE;
        const Extent mine(left, pairing.mine, packing.fields), others(right, pairing.others, packing.fields);
        const Products products(packing, mine.width, others.width, pairing.most(), pairing.taken.items);
        if (!pairing.taken.fits(now)) return FULL;
        if (!pairing.gather(EnteringPolynomials{left, packing, mine, products.left},
                            EnteringPolynomials{right, packing, others, products.right}))
            continue;
        products.add_up(pairing, tables);
        for (i64 k = 0; k < products.degrees(); k++) {
            const i64 product = products.plain[k];
            if (product == 0) continue;
            Valued &value = total[mine.low + others.low + k];
            value.low += pairing.joint.weight * (product & Digits::MASK);
            value.high += pairing.joint.weight * (product >> Digits::BITS);
        }
    }
    return DONE;
}

}  // namespace

EXPORT_KERNEL(join_numbers)
EXPORT_KERNEL(join_polynomials)
