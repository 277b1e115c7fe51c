// Single-cycle test of the join: matchings of the same ends that form one cycle, for whole lists together.
//
// To test a left matching, its pairs are joined one by one in the right one. Joining the lowest end with its left mate
// leaves a matching of two fewer ends, unless they are mates there too. Left matchings in order of rank share their
// first pairs, so the right list is joined once for all of them. With 7 or more pairs it is a list of words, with 6 a
// list of ranks, with fewer an array of sums by rank.
#pragma once
#include "algebras.h"

namespace {

using Counted = WithValue<i64>;
struct Ranked {
    using Item = i64;
    i64 rank, value;
};

// Rank of the matching of a word.
template <class Word>
inline i64 rank_of(u64 word, u32 ends, int pairs) {
    return rank_by(ends, pairs, [&](int a) { return a ^ nibble(word, a); });
}
template <>
inline i64 rank_of<Wide>(u64 word, u32 ends, int pairs) {
    if (ends >> HIGH == 0) return rank_of<Narrow>(word, ends, pairs);
    const Opened opened(word, ends);
    return rank_by(ends, pairs, [&](int a) { return opened.mate_of(a); });
}

// The matching of a rank as a word of 16 slots.
inline u64 word_of_rank(i64 rank, u32 ends, int pairs) {
    u64 word = 0;
    each_pair(rank, ends, pairs, [&](int a, int b) { word ^= at(a ^ b, a) ^ at(a ^ b, b); });
    return word;
}

// Whether two matchings of the same ends form one cycle.
inline bool fit_together(u64 right, u64 left, u32 ends) {
    while (true) {
        const int a = slot_of(ends), b = a ^ nibble(left, a);
        ends &= ~(1u << a | 1u << b);
        if (ends == 0) return true;
        right = Narrow::changed(right, JOIN, a, b, 0);
        if (right == NO_WORD) return false;
    }
}

// Tables for perfect matchings by rank: see join.py.
struct Tables {
    Array<const i32> take;
    Array<const i64> take_at;
    Array<const i32> undo;
    Array<const i64> undo_at, last;
};

// Intermediate results. dense: sums by rank for 3, 4 and 5 pairs, from 0, 15 and 120 on. sparse, sixes: ranks with sums
// for 6 pairs, and zeros by rank. sevens, eights: lists of words of 7 and 8 pairs; the latter is needed for 9 pairs.
struct Between {
    Array<i64> dense;
    Array<Ranked> sparse;
    Array<i64> sixes;
    Array<Counted> sevens, eights;
};

// ranks, ways: the left matchings, in order of rank. Algebra: addition of values, with neutral element 0.
template <class Word, class Algebra>
struct Cycles {
    const Tables &tables;
    const Between &room;
    Array<const i64> ranks;
    Array<i64> ways;

    // Set ways[i], for all left matchings, to the sum of the right values that form one cycle with it.
    void complete(int pairs, u32 ends, Array<const Counted> right) const {
        switch (pairs) {
            case 1:
            case 2:
                return complete_few(pairs, ends, right);
            case 3:
                return complete_dense<3>(ends, right);
            case 4:
                return complete_dense<4>(ends, right);
            case 5:
                return complete_dense<5>(ends, right);
            case 6: {
                i64 n = 0;
                for (const Counted &r : right) room.sparse[n++] = {rank_of<Word>(r.word, ends, 6), r.value};
                return complete_sparse(0, ranks.size, 0, n);
            }
            case 7:
                return complete_words<7>(ends, 0, ranks.size, 0, right);
            case 8:
                return complete_words<8>(ends, 0, ranks.size, 0, right);
            default:
                return complete_words<9>(ends, 0, ranks.size, 0, right);
        }
    }

private:
    Array<i64> dense_of(int pairs) const {
        return room.dense.part(pairs == 3 ? 0 : pairs == 4 ? 15 : 120, MATCHINGS[pairs]);
    }

    void complete_few(int pairs, u32 ends, Array<const Counted> right) const {
        for (i64 i = 0; i < ranks.size; i++) {
            i64 sum = 0;
            // Two matchings of four ends make one cycle if they differ.
            for (const Counted &r : right)
                if (pairs == 1 || rank_of<Word>(r.word, ends, 2) != ranks[i]) sum = Algebra::plus(sum, r.value);
            ways[i] = sum;
        }
    }
    template <int P>
    void complete_dense(u32 ends, Array<const Counted> right) const {
        const Array<i64> sums = dense_of(P);
        for (i64 &sum : sums) sum = 0;
        for (const Counted &r : right) {
            i64 &sum = sums[rank_of<Word>(r.word, ends, P)];
            sum = Algebra::plus(sum, r.value);
        }
        complete_sums<P>(0, ranks.size, 0);
    }

    // Call use(x, first, begin, end): left matchings begin .. end-1 are the ones among low .. high-1 whose lowest end
    // has a mate with x ends between; their ranks start with `first`. Ranks minus `origin` are ranks of P pairs.
    template <int P, class Use>
    void each_mate(i64 low, i64 high, i64 origin, Use use) const {
        constexpr i64 below = MATCHINGS[P - 1];
        for (i64 begin = low, end; begin < high; begin = end) {
            const i64 x = (ranks[begin] - origin) / below, first = origin + x * below;
            for (end = begin + 1; end < high && ranks[end] < first + below;) end++;
            use(x, first, begin, end);
        }
    }

    // The right list contains sums by rank.
    template <int P>
    void complete_sums(i64 low, i64 high, i64 origin) const {
        if constexpr (P == 3) {
            const i64 *sums = dense_of(3).at;
            for (i64 i = low; i < high; i++) {
                const i64 *fits = tables.last.part(15 * (ranks[i] - origin), 15).at;
                i64 sum = 0;
                for (int j = 0; j < 15; j++) sum = Algebra::plus(sum, -fits[j] & sums[j]);
                ways[i] = sum;
            }
        } else
            each_mate<P>(low, high, origin, [&](i64 x, i64 first, i64 begin, i64 end) {
                join_sums<P>(x);
                complete_sums<P - 1>(begin, end, first);
            });
    }
    template <int P>
    void join_sums(i64 x) const {
        constexpr i64 below = MATCHINGS[P - 1], many = 2 * P - 2;
        const i32 *undo = tables.undo.part(tables.undo_at[P] + x * many * below, many * below).at;
        const i64 *from = dense_of(P).at;
        i64 *to = dense_of(P - 1).at;
        for (i64 y = 0; y < below; y++) {
            i64 sum = 0;
            for (i64 z = 0; z < many; z++) sum = Algebra::plus(sum, from[undo[z * below + y]]);
            to[y] = sum;
        }
    }

    // The right list is sparse[0 .. n-1], for 6 pairs.
    void complete_sparse(i64 low, i64 high, i64 origin, i64 n) const {
        each_mate<6>(low, high, origin, [&](i64 x, i64 first, i64 begin, i64 end) {
            const Array<i64> sums = dense_of(5);
            const Array<const i32> take = tables.take.part(tables.take_at[6] + x * MATCHINGS[6], MATCHINGS[6]);
            for (i64 &sum : sums) sum = 0;
            for (const Ranked &r : room.sparse.part(0, n)) {
                const i32 y = take[r.rank];
                if (y >= 0) sums[y] = Algebra::plus(sums[y], r.value);
            }
            complete_sums<5>(begin, end, first);
        });
    }

    // The right list contains words.
    template <int P>
    void complete_words(u32 ends, i64 low, i64 high, i64 origin, Array<const Counted> right) const {
        const int a = slot_of(ends);
        each_mate<P>(low, high, origin, [&](i64 x, i64 first, i64 begin, i64 end) {
            const u32 others = ends & (ends - 1);
            const int b = end_number(others, x);
            const u32 rest = others ^ 1u << b;
            if constexpr (P == 7) {
                complete_sparse(begin, end, first, join_to_ranks(a, b, ends, rest, right));
            } else {
                const Array<Counted> &next = P == 8 ? room.sevens : room.eights;
                i64 made = 0;
                for (const Counted &r : right) {
                    const u64 word = Word::changed(r.word, JOIN, a, b, ends);
                    if (word != NO_WORD) next[made++] = {word, r.value};
                }
                complete_words<P - 1>(rest, begin, end, first, {next.at, made});
            }
        });
    }
    // Join words of 7 pairs to ranks of 6; return their number.
    i64 join_to_ranks(int a, int b, u32 ends, u32 rest, Array<const Counted> right) const {
        i64 made = 0;
        for (const Counted &r : right) {
            const u64 word = Word::changed(r.word, JOIN, a, b, ends);
            if (word == NO_WORD) continue;
            const i64 rank = rank_of<Word>(word, rest, 6);
            i64 &sum = room.sixes[rank];
            if (sum == 0) room.sparse[made++].rank = rank;
            sum = Algebra::plus(sum, r.value);
        }
        for (Ranked &r : room.sparse.part(0, made)) {
            i64 &sum = room.sixes[r.rank];
            r.value = sum;
            sum = 0;
        }
        return made;
    }
};

}  // namespace
