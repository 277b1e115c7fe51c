// Over the order of one large tour on a flat board: is it a tour, and its numbers and squares.
//
// An order is square numbers row * cols + col: int32, or on boards of 2**31 squares and more int64. It knows nothing of
// how tours are made.
#include "../abi.h"

namespace {

struct Square {
    i64 row, col;
};

// How the square of a number is found without a division, which would take most of the time; `columns_of` in orders.py
// makes it. Without a factor it is a division.
struct Columns {
    i64 cols, factor, shift;

    Square square(i64 number) const {
        const i64 row = factor ? (number * factor) >> shift : number / cols;
        return {row, number - row * cols};
    }
};

// Of whole numbers only 1 and 2 have the product 2.
bool is_move(Square a, Square b) {
    const i64 product = (a.row - b.row) * (a.col - b.col);
    return product == 2 || product == -2;
}

// The first of the steps first..last-1 that is off the board, seen before or no knight's move; or -1.
// seen: an item a square of the board, 0 at first.
i64 orders_first_fault(Array<const i32> order, i64 first, i64 last, Columns columns, Array<u8> seen) {
    Square before = {0, 0};
    if (first > 0) before = columns.square(order[first - 1]);
    for (i64 step = first; step < last; step++) {
        const i64 number = order[step];
        if (number < 0 || number >= seen.size || seen[number]) return step;
        seen[number] = 1;
        const Square here = columns.square(number);
        if (step > 0 && !is_move(before, here)) return step;
        before = here;
    }
    return -1;
}

// Write the number of each square of the steps first..last-1, from 1.
i64 orders_put_numbers(AnyOf<const i32, const i64> order, i64 first, i64 last, AnyOf<i32, i64> numbers) {
    return order.visit([&](auto squares) {
        return numbers.visit([&](auto out) {
            using Number = typename decltype(out)::Type;
            for (i64 step = first; step < last; step++) out[squares[step]] = Number(step + 1);
            return i64(0);
        });
    });
}

// Write the row and the column of each square of the steps first..last-1, two items a step.
i64 orders_put_squares(AnyOf<const i32, const i64> order, i64 first, i64 last, Columns columns,
                       AnyOf<i32, i64> squares) {
    return order.visit([&](auto numbers) {
        return squares.visit([&](auto out) {
            using Number = typename decltype(out)::Type;
            for (i64 step = first; step < last; step++) {
                const Square here = columns.square(numbers[step]);
                out[2 * step] = Number(here.row);
                out[2 * step + 1] = Number(here.col);
            }
            return i64(0);
        });
    });
}

}  // namespace

DOOR(orders_first_fault)
DOOR(orders_put_numbers)
DOOR(orders_put_squares)
