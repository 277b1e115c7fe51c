// Moves as codes, and rows of tours.
#pragma once
#include "../abi.h"

// Rows of square numbers, one tour per row; for writing and for reading.
using Orders = AnyOf<u8, u16, i32>;
using ReadOrders = AnyOf<const u8, const u16, const i32, const i64>;

// The moves of a board of `size` squares. steps[s * kinds + k]: the target of code k from square s, or -1. codes[a *
// size + b] is the inverse, and may be empty on large boards.
struct Moves {
    Array<const u16> codes;
    Array<const i32> steps;
    i64 size, kinds;

    // The code of the move from a to b; without a table, `kinds` if they are not one move apart.
    i64 code_of(i64 a, i64 b) const {
        if (codes.size > 0) return codes[a * size + b];
        i64 code = 0;
        while (code < kinds && steps[a * kinds + code] != b) code++;
        return code;
    }
};
