// Many tours measured as drawings: turns, crossings, symmetries.
#include "moves.h"

namespace {

// At how many squares of a tour the direction changes.
template <class T>
i64 turns_of(Array<T> order, bool is_closed, const Moves &moves) {
    i64 total = 0, before = -1, start = -1;
    for (i64 k = 1; k < order.size; k++) {
        const i64 code = moves.code_of(i64(order[k - 1]), i64(order[k]));
        total += before != -1 && code != before;
        if (start == -1) start = code;
        before = code;
    }
    if (!is_closed) return total;
    const i64 code = moves.code_of(i64(order[order.size - 1]), i64(order[0]));
    return total + (code != before) + (code != start);
}

// closed: 1 for each closed tour, else 0.
i64 measures_count_turns(ReadOrders orders, i64 count, Array<const u8> closed, Moves moves, Array<u32> out, i64 first,
                         i64 last) {
    return orders.visit([&](auto rows) {
        for (i64 row = first; row < last; row++)
            out[row] = u32(turns_of(rows.part(row * count, count), closed[row], moves));
        return i64(0);
    });
}

// Where moves are in pictures, one for each direction, and which cross. lines[code]: twice the number of the move's
// direction up or down, one more if it goes upwards. places: where a square lies in a picture with a margin. begins,
// jumps: for each direction, from a move to those that may cross it.
struct Pictures {
    Array<const i64> lines, places, begins, jumps;
};

// How many pairs of a tour's moves cross. spots: scratch, an item a move. drawn: all pictures, all 0; so it is left.
template <class T>
i64 crossings_of(Array<T> order, bool is_closed, const Moves &moves, const Pictures &pictures, Array<i64> spots,
                 Array<u8> drawn) {
    const i64 area = drawn.size / (pictures.begins.size - 1), count = is_closed ? order.size : order.size - 1;
    for (i64 k = 0; k < count; k++) {
        const i64 a = i64(order[k]), b = i64(order[k + 1 == order.size ? 0 : k + 1]);
        const i64 line = pictures.lines[moves.code_of(a, b)];
        spots[k] = pictures.places[line & 1 ? b : a] + (line >> 1) * area;
        drawn[spots[k]] = 1;
    }
    i64 total = 0;
    for (i64 k = 0; k < count; k++) {
        const i64 way = spots[k] / area;
        for (i64 j = pictures.begins[way]; j < pictures.begins[way + 1]; j++)
            total += drawn[spots[k] + pictures.jumps[j]];
    }
    for (i64 k = 0; k < count; k++) drawn[spots[k]] = 0;
    return total;
}

i64 measures_count_crossings(ReadOrders orders, i64 count, Array<const u8> closed, Moves moves, Pictures pictures,
                             Array<i64> spots, Array<u8> drawn, Array<u32> out, i64 first, i64 last) {
    return orders.visit([&](auto rows) {
        for (i64 row = first; row < last; row++)
            out[row] = u32(crossings_of(rows.part(row * count, count), closed[row], moves, pictures, spots, drawn));
        return i64(0);
    });
}

// Whether a tour is laid on itself by an image of the board. step_of: the step of each square.
template <class T>
bool is_kept(Array<T> order, bool is_closed, Array<const i64> image, Array<const i64> step_of) {
    i64 before = step_of[image[order[0]]];
    for (i64 k = 1; k < order.size + is_closed; k++) {
        const i64 now = step_of[image[order[k == order.size ? 0 : k]]];
        const i64 apart = now < before ? before - now : now - before;
        if (apart != 1 && !(is_closed && apart == order.size - 1)) return false;
        before = now;
    }
    return true;
}

// For each tour, the images that lay it on itself, a bit each. images: rows of `size` squares, where each goes. step_of:
// scratch, an item a square.
i64 measures_find_symmetries(ReadOrders orders, i64 count, Array<const u8> closed, Array<const i64> images, i64 size,
                             Array<i64> step_of, Array<i64> out, i64 first, i64 last) {
    return orders.visit([&](auto rows) {
        for (i64 row = first; row < last; row++) {
            const auto order = rows.part(row * count, count);
            for (i64 k = 0; k < count; k++) step_of[order[k]] = k;
            i64 found = 0;
            for (i64 g = 0; g < images.size / size; g++)
                if (is_kept(order, closed[row], images.part(g * size, size), {step_of.at, step_of.size}))
                    found |= i64(1) << g;
            out[row] = found;
        }
        return i64(0);
    });
}

}  // namespace

DOOR(measures_count_turns)
DOOR(measures_count_crossings)
DOOR(measures_find_symmetries)
