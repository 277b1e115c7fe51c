// The symmetries of many tours.
#include "moves.h"

namespace {

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

DOOR(measures_find_symmetries)
