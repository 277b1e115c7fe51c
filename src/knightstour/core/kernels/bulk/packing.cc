// Compact encoding and decoding of tours; see lab/sampling/datasets/packing.py for the arrays.
#include "moves.h"

namespace {

enum Kind : i64 { AS_IT_IS, UNDIRECTED, CYCLES };

// Writes bits, the highest of a byte first.
struct BitWriter {
    Array<u8> bytes;
    i64 place = 0, held = 0;
    u64 word = 0;

    void put(u64 code, i64 bits) {
        word = (word << bits) | code;
        held += bits;
        while (held >= 8) {
            held -= 8;
            bytes[place++] = u8(word >> held);
        }
        word &= 255;
    }
    void fill_up() {
        if (held > 0) bytes[place++] = u8(word << (8 - held));
        while (place < bytes.size) bytes[place++] = 0;
    }
};

// Reads bits.
struct BitReader {
    Array<const u8> bytes;
    i64 place = 0, held = 0;
    u64 word = 0;

    i64 take(i64 bits) {
        while (held < bits) {
            word = ((word << 8) | bytes[place++]) & 0xFFFFFF;
            held += 8;
        }
        held -= bits;
        return i64(word >> held) & ((i64(1) << bits) - 1);
    }
};

// First square and direction of an encoded tour, so that equivalent tours have equal codes.
struct Way {
    i64 at, step;
};
template <class T>
Way way_of(Array<T> order, Kind kind, i64 home) {
    const i64 last = order.size - 1;
    if (kind == UNDIRECTED && order[0] > order[last]) return {last, -1};
    if (kind != CYCLES) return {0, 1};
    i64 at = 0;
    while (order[at] != home) at++;
    const bool is_lower = order[at == last ? 0 : at + 1] <= order[at == 0 ? last : at - 1];
    return {at, is_lower ? 1 : -1};
}

// Pack a tour; return its first square.
template <class T>
i64 pack(Array<T> order, Way way, const Moves &moves, i64 bits, Array<u8> out) {
    BitWriter writer = {out};
    const i64 first = i64(order[way.at]);
    i64 before = first;
    for (i64 k = 1; k < order.size; k++) {
        way.at += way.step;
        if (way.at == order.size) way.at = 0;
        if (way.at < 0) way.at = order.size - 1;
        const i64 now = i64(order[way.at]);
        writer.put(u64(moves.code_of(before, now)), bits);
        before = now;
    }
    writer.fill_up();
    return first;
}

// Pack the tours first..last-1 of `count` squares into rows of `width` bytes and their first squares. home: lowest
// square of the board.
i64 packing_pack(ReadOrders orders, i64 count, i64 kind, i64 home, Moves moves, i64 bits, Array<u8> out, i64 width,
                 Array<i64> starts, i64 first, i64 last) {
    return orders.visit([&](auto rows) {
        for (i64 row = first; row < last; row++) {
            const auto order = rows.part(row * count, count);
            const Way way = way_of(order, Kind(kind), home);
            starts[row] = pack(order, way, moves, bits, out.part(row * width, width));
        }
        return i64(0);
    });
}

// Unpack a tour; return whether all its moves exist.
template <class T>
bool unpack(Array<const u8> packed, i64 start, const Moves &moves, i64 bits, Array<T> order) {
    if (start < 0 || start >= moves.size) return false;
    BitReader reader = {packed};
    i64 square = start;
    order[0] = T(square);
    for (i64 k = 1; k < order.size; k++) {
        const i64 code = reader.take(bits);
        if (code >= moves.kinds) return false;
        square = moves.steps[square * moves.kinds + code];
        if (square < 0) return false;
        order[k] = T(square);
    }
    return true;
}

// Unpack the rows first..last-1; return the first row with an invalid move, or -1.
i64 packing_unpack(Array<const u8> packed, i64 width, Array<const i64> starts, Moves moves, i64 bits, Orders out,
                   i64 count, i64 first, i64 last) {
    return out.visit([&](auto rows) {
        for (i64 row = first; row < last; row++) {
            const auto order = rows.part(row * count, count);
            if (!unpack(packed.part(row * width, width), starts[row], moves, bits, order)) return row;
        }
        return i64(-1);
    });
}

}  // namespace

EXPORT_KERNEL(packing_pack)
EXPORT_KERNEL(packing_unpack)
