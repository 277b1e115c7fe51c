// Bulk check of tours against a table of moves, independent of the search.
#include "../abi.h"

namespace {

// Conditions on the tours: length `count`, closed, from `start` and to `end`, or -1 for any.
struct Question {
    i64 count, closed, start, end;
};

// The table of moves. joined[a * size + b]: whether squares a and b are one move apart; false for holes.
struct Moves {
    Array<const bool> joined;
    i64 size;

    bool has(i64 square) const { return square >= 0 && square < size; }
    bool are_joined(i64 a, i64 b) const { return joined[a * size + b]; }
};

// Whether a row is such a tour. mark: a number that occurs in no item of `seen`, which has one item per square.
template <class T>
bool is_tour(Array<T> order, const Question &question, const Moves &moves, Array<i32> seen, i32 mark) {
    const i64 first = i64(order[0]), last = i64(order[question.count - 1]);
    if (!moves.has(first) || !moves.has(last)) return false;
    if ((question.start >= 0 && first != question.start) || (question.end >= 0 && last != question.end)) return false;
    if (question.closed && (question.count < 3 || !moves.are_joined(last, first))) return false;
    seen[first] = mark;
    i64 before = first;
    for (i64 step = 1; step < question.count; step++) {
        const i64 here = i64(order[step]);
        if (!moves.has(here) || seen[here] == mark || !moves.are_joined(before, here)) return false;
        seen[here] = mark;
        before = here;
    }
    return true;
}

// Return the first row among first..last-1 that is not such a tour, or -1. seen: 0 initially.
i64 check_rows_first_fault(AnyOf<const u8, const u16, const i32, const i64> orders, i64 first, i64 last,
                           Question question, Moves moves, Array<i32> seen) {
    return orders.visit([&](auto rows) {
        for (i64 row = first; row < last; row++) {
            const auto order = rows.part(row * question.count, question.count);
            if (!is_tour(order, question, moves, seen, i32(row - first + 1))) return row;
        }
        return i64(-1);
    });
}

}  // namespace

EXPORT_KERNEL(check_rows_first_fault)
