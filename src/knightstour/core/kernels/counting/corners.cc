// Rule "marks of corners": a network of states processed with marks. See lab/counting/census/on_network.py for the
// marks and the arrays.
#include "../keys.h"

namespace {

enum Mark : u64 { BARE = 0, ONE = 14, BOTH = 15 };
constexpr i64 MARK_BITS = 4, MAX_OPEN = 15, MAX_CHILDREN = 1024, MAX_NEAR = 8;

// next: the source to expand next. highest: the highest power so far.
struct Counters {
    using Item = i64;
    i64 made, next, highest;
};

struct Pair {
    using Item = i64;
    i64 one, other;  // squares, -1 for none
};

struct Marked {
    using Item = u64;
    u64 state, marks;
};

struct Ways {
    Array<const i64> offsets;
    Array<const i32> targets, codes;
    Array<const Pair> picked;
};

struct Squares {
    Array<const i64> near;     // (square, 8): its neighbours
    Array<const u64> corners;  // (square, 8): neighbours that form a chosen corner with a neighbour
    Array<const i64> order, position;
};

struct Layers {
    Array<Counters> counters;
    Array<const Marked> sources;
    Keys next;
};

// Polynomials: coefficient k is the number of partial tours with k marks, modulo a number below 2**62.
struct Polynomials {
    Counters &now;
    Array<const i64> before;
    Array<i64> values, tours;
    i64 width, modulus;

    // Add a polynomial, shifted by `power`, to another. Returns the maximum of `most` and the highest power of the
    // result.
    i64 add_moved(i64 s, i64 power, const Array<i64> &sum, i64 most) const {
        for (i64 j = 0; j < width; j++) {
            const i64 coefficient = before[s * width + j];
            if (!coefficient) continue;
            const i64 total = sum[j + power] + coefficient;
            sum[j + power] = total >= modulus ? total - modulus : total;
            if (j + power > most) most = j + power;
        }
        return most;
    }
    i64 room() const { return width + 3; }
    void begin(i64 k) const {
        for (i64 &coefficient : values.part(k * room(), room())) coefficient = 0;
    }
    void add(i64 s, i64 k, i64 power) const {
        now.highest = add_moved(s, power, values.part(k * room(), room()), now.highest);
    }
    void close(i64 s, i64 power) const { add_moved(s, power, tours, power); }
};

// Whether a square waits for a specific neighbour.
bool is_marked(u64 mark) { return mark != BARE && mark < ONE; }

// Possible successors of a mark.
struct Becomes {
    u64 marks[MAX_NEAR + 1];
    i64 count, at;

    void add(u64 mark) { marks[count++] = mark; }
};

struct Marking : Squares {
    const Ways &ways;
    const i64 t, v;
    KeyTable<2> next;
    Counters &now;
    const Polynomials &polynomials;

    Marking(const Squares &squares, const Ways &all, const Layers &layers, i64 step, const Polynomials &carried)
        : Squares(squares),
          ways(all),
          t(step),
          v(squares.order[step]),
          next(layers.next, 2),
          now(layers.counters[0]),
          polynomials(carried) {}

    // Index of a square among the neighbours of another.
    i64 place_in(i64 square, i64 other) const {
        i64 i = 0;
        while (near[MAX_NEAR * square + i] != other) i++;
        return i;
    }

    i64 shift_of(i64 square) const { return MARK_BITS * (position[square] - t - 1); }

    // Possible marks of u after a move to v.
    Becomes joined(i64 u, u64 marks) const {
        Becomes found{{}, 0, shift_of(u)};
        const u64 mark = marks >> found.at & 15;
        const i64 i = place_in(u, v);
        if (mark == BARE) {
            found.add(ONE);
            each_of(corners[MAX_NEAR * u + i], [&](i64 p) {
                if (position[near[MAX_NEAR * u + p]] > t) found.add(u64(p + 1));
            });
        } else if (mark == ONE || mark == u64(i + 1)) {
            found.add(BOTH);
        }
        return found;
    }

    // Whether all waiting squares can still get their neighbours.
    bool is_possible(u64 marks) const {
        u64 counts = 0;
        i64 here = t;
        for (u64 left = marks; left; left >>= MARK_BITS) {
            here++;
            const u64 mark = left & 15;
            if (!is_marked(mark)) continue;
            const i64 u = order[here], p = near[MAX_NEAR * u + i64(mark) - 1], place = position[p] - t - 1;
            if (place < 0) return false;
            if (place >= MAX_OPEN) continue;
            const u64 held = marks >> MARK_BITS * place & 15;
            if (is_marked(held)) {
                if (near[MAX_NEAR * p + i64(held) - 1] != u) return false;
                continue;
            }
            counts += u64(1) << MARK_BITS * place;
            const u64 many = counts >> MARK_BITS * place & 15;
            if (held == BOTH || many > 2 || (held == ONE && many > 1)) return false;
        }
        return true;
    }

    // Whether no square waits.
    static bool is_settled(u64 marks) {
        for (; marks; marks >>= MARK_BITS)
            if (is_marked(marks & 15)) return false;
        return true;
    }

    void enter(i64 s, i64 target, u64 marks, i64 power) {
        if (target < 0) return polynomials.close(s, power);
        const u64 key[2] = {u64(target), marks};
        const i64 k = next.enter(key, next.hash_of(key), now.made);
        if (k == now.made) {
            polynomials.begin(k);
            now.made++;
        }
        polynomials.add(s, k, power);
    }

    // Follow a way from source s, with all possible marks.
    void take(i64 s, const Marked &source, i64 way) {
        const i64 code = ways.codes[way], target = ways.targets[way];
        const i64 a = ways.picked[code].one, b = ways.picked[code].other;
        const u64 mark = source.marks & 15, marks = source.marks >> MARK_BITS;
        if (is_marked(mark) && (b >= 0 || a < 0 || place_in(v, a) != i64(mark) - 1)) return;
        const bool is_corner = b >= 0 && corners[MAX_NEAR * v + place_in(v, a)] & bit_of(place_in(v, b));
        // If v is joined to fewer than two later squares, the missing square has no mark.
        const Becomes none{{}, 1, 0}, first = a < 0 ? none : joined(a, marks), other = b < 0 ? none : joined(b, marks);
        const u64 kept = marks & ~(a < 0 ? 0 : u64(15) << first.at) & ~(b < 0 ? 0 : u64(15) << other.at);
        for (i64 i = 0; i < first.count; i++)
            for (i64 k = 0; k < other.count; k++) {
                const u64 one = first.marks[i], two = other.marks[k];
                const u64 after = kept | one << first.at | two << other.at;
                if (target < 0 ? !is_settled(after) : !is_possible(after)) continue;
                const i64 power = is_marked(one) + is_marked(two);
                enter(s, target, after, power);
                if (is_corner) enter(s, target, after, power + 1);
            }
    }

    // Expand the sources before `last`, while there is capacity.
    void run(const Array<const Marked> &sources, i64 last) {
        for (; now.next < last && now.made + MAX_CHILDREN <= next.room(); now.next++) {
            const Marked &source = sources[now.next];
            for (i64 w = ways.offsets[i64(source.state)]; w < ways.offsets[i64(source.state) + 1]; w++)
                take(now.next, source, w);
        }
    }
};

// sums: (source, width). values: (state, width + 3). tours: the polynomial of complete tours.
i64 corners_count(Squares squares, Ways ways, Layers layers, Array<const i64> sums, Array<i64> values, Array<i64> tours,
                  i64 modulus, i64 t, i64 last) {
    const i64 width = sums.size / layers.sources.size;
    const Polynomials polynomials{layers.counters[0], sums, values, tours, width, modulus};
    Marking(squares, ways, layers, t, polynomials).run(layers.sources, last);
    return 0;
}

}  // namespace

EXPORT_KERNEL(corners_count)
