// Giant tours, checked from diagrams or lists, a part at a time. check_giant.py says what the findings are.
//
// It knows nothing of how tours are made. A diagram is checked square by square: does a neighbour carry the next number?
// A list is walked: is each square new, and a move from the one before?
#include "../abi.h"

namespace {

struct Found {
    using Item = i64;
    i64 zeros, stray, lost, least_lost, at_first, firsts, at_last, lasts, at_stray;
};

// Rows [top, bottom) and columns [left, right) of a block with `stride` places a row.
struct Area {
    i64 top, bottom, left, right, stride;
};

constexpr int WAYS = 8;

// Some squares of a row of the block, and those a move away from each, one array for each way.
template <class T>
struct Row {
    const T *here, *near[WAYS];

    // Whether a square a move away from square k has the next number. A sum beyond the last number is none's.
    bool is_followed(i64 k) const {
        const T wanted = T(here[k] + 1);
        bool is = false;
        for (int way = 0; way < WAYS; way++) is |= near[way][k] == wanted;
        return is;
    }
    // How many squares have a number from `low` + 1 to `high` - 1 and are followed.
    T good(i64 width, T low, T high) const {
        T count = 0;
        for (i64 k = 0; k < width; k++) count += T(is_followed(k) & (here[k] > low) & (here[k] < high));
        return count;
    }
};

// Note what a square is that is not plainly good. at: where in the block; x: its number.
void note(Found &found, i64 at, i64 x, i64 most, bool is_followed) {
    if (x == 0) {
        found.zeros++;
        return;
    }
    if (x < 1 || x > most) {
        if (found.stray++ == 0) found.at_stray = at;
        return;
    }
    if (x == 1 && found.firsts++ == 0) found.at_first = at;
    if (x == most) {
        if (found.lasts++ == 0) found.at_last = at;
        return;
    }
    if (is_followed) return;
    if (found.lost == 0 || x < found.least_lost) found.least_lost = x;
    found.lost++;
}

// T: the unsigned type of the block. Numbers below 0 are above all that are possible, and `high` is no more than that.
template <class T, class Signed>
void check(Array<const Signed> block, const Area &area, i64 most, i64 high, Array<const i64> moves, Found &found) {
    const i64 width = area.right - area.left;
    for (i64 r = area.top; r < area.bottom; r++) {
        const i64 first = r * area.stride + area.left;
        Row<T> row;
        row.here = reinterpret_cast<const T *>(block.part(first, width).at);
        for (int way = 0; way < WAYS; way++)
            row.near[way] = reinterpret_cast<const T *>(block.part(first + moves[way], width).at);
        if (i64(row.good(width, 1, T(high))) == width) continue;
        for (i64 k = 0; k < width; k++) note(found, first + k, i64(block[first + k]), most, row.is_followed(k));
    }
}

// Look at an area of a block that reaches a move further on each side, and has zeros off the board.
// most: the last number. moves: eight distances in the block.
i64 check_giant_diagram(AnyOf<const i32, const i64> block, Area area, i64 most, Array<const i64> moves,
                        Array<Found> found) {
    if (block.bytes == 4) {
        const Array<const i32> squares = {static_cast<const i32 *>(block.at), block.size};
        check<u32>(squares, area, most, most < INT32_MAX ? most : INT32_MAX, moves, found[0]);
    } else {
        const Array<const i64> squares = {static_cast<const i64 *>(block.at), block.size};
        check<u64>(squares, area, most, most, moves, found[0]);
    }
    return 0;
}

struct Walk {
    using Item = i64;
    i64 step, row, col;
};

// The board, and the leap.
struct Board {
    i64 rows, cols, short_way, long_way;

    bool has(i64 row, i64 col) const { return row >= 0 && row < rows && col >= 0 && col < cols; }
    bool is_move(i64 down, i64 along) const {
        down = down < 0 ? -down : down;
        along = along < 0 ? -along : along;
        return (down == short_way && along == long_way) || (down == long_way && along == short_way);
    }
};

// Walk on over these squares; the place in `rows` of the first that is off the board, no move, or not new; or -1.
// visited: a bit a square, its number's lowest bits first.
i64 check_giant_list(Array<const i64> rows, Array<const i64> cols, Board board, Array<u8> visited, Array<Walk> walk) {
    Walk at = walk[0];
    for (i64 k = 0; k < rows.size; k++) {
        const i64 row = rows[k], col = cols[k];
        if (!board.has(row, col)) return k;
        if (at.step > 0 && !board.is_move(row - at.row, col - at.col)) return k;
        const i64 square = row * board.cols + col;
        const u8 bit = u8(1 << (square & 7));
        if (visited[square >> 3] & bit) return k;
        visited[square >> 3] |= bit;
        at = {at.step + 1, row, col};
    }
    walk[0] = at;
    return -1;
}

}  // namespace

DOOR(check_giant_diagram)
DOOR(check_giant_list)
