// Arrays filled with arithmetic patterns, at nearly the speed of memory. filling.py says what an item means.
//
// The first block of a row is made from the tables; every later element is the one a block before plus a constant, which
// is one load, one addition and one store, many at a time. Every element is written once, so items may be shared out to
// threads at will. Numbers may leave the type of the array on the way; they come back to it.
#include "../abi.h"

namespace {

struct Strip {
    using Item = i64;
    i64 place, step, width, offset, from_row, to_row, begin, end;
};

// The tables, a place for each column of each item: see filling.py.
struct Tables {
    Array<const i64> first, rise, jump;

    // The number at a column, in row `row` and lap `lap`.
    u64 at(i64 column, u64 row, u64 lap) const {
        return u64(first[column]) + lap * u64(jump[column]) + row * u64(rise[column]);
    }
};

template <class T>
void add(T *to, const T *from, const T *more, i64 count) {
    for (i64 k = 0; k < count; k++) to[k] = T(from[k] + more[k]);
}

// T is unsigned: its sums are those of the signed type, and may pass over its end.
template <class T>
struct Writer {
    Array<T> out;
    Tables tables;
    // Rows of scratch: the next first block, its rise from row to row, and the constant from block to block.
    Array<T> head, down, right;

    // A single column.
    void write_column(const Strip &strip) const {
        const i64 column = strip.offset + strip.begin % strip.width, lap = strip.begin / strip.width;
        for (i64 row = strip.from_row; row < strip.to_row; row++)
            out[strip.place + row * strip.step + strip.begin] = T(tables.at(column, u64(row), u64(lap)));
    }

    void make_block(const Strip &strip, i64 block, i64 laps) const {
        i64 lap = strip.begin / strip.width, x = strip.begin % strip.width;
        for (i64 k = 0; k < block; k++) {
            const i64 column = strip.offset + x;
            head[k] = T(tables.at(column, u64(strip.from_row), u64(lap)));
            down[k] = T(tables.rise[column]);
            right[k] = T(u64(laps) * u64(tables.jump[column]));
            if (++x == strip.width) {
                x = 0;
                lap++;
            }
        }
    }

    void write(const Strip &strip, i64 block_size) const {
        const i64 count = strip.end - strip.begin;
        if (count == 1) return write_column(strip);
        const i64 laps = strip.width < block_size ? block_size / strip.width : 1;
        const i64 block = laps * strip.width < count ? laps * strip.width : count;
        make_block(strip, block, laps);
        for (i64 row = strip.from_row; row < strip.to_row; row++) {
            T *to = out.part(strip.place + row * strip.step + strip.begin, count).at;
            for (i64 k = 0; k < block; k++) to[k] = head[k];
            add(head.at, head.at, down.at, block);
            for (i64 done = block; done < count; done += block)
                add(to + done, to + done - block, right.at, block < count - done ? block : count - done);
        }
    }
};

template <class T>
i64 fill(Array<T> out, void *scratch, i64 room, Array<const Strip> strips, Tables tables, i64 block_size) {
    const i64 row = room / 3;
    const Array<T> rows = {static_cast<T *>(scratch), room};
    const Writer<T> writer = {out, tables, rows.part(0, row), rows.part(row, row), rows.part(2 * row, row)};
    for (const Strip &strip : strips) writer.write(strip, block_size);
    return 0;
}

// Write all the items. scratch: of the type of `out`, three rows as long as block_size and every width at least.
i64 filling_fill(AnyOf<i32, i64> out, Array<const Strip> strips, Tables tables, AnyOf<i32, i64> scratch,
                 i64 block_size) {
    if (scratch.bytes != out.bytes) return -1;
    if (out.bytes == 4) {
        const Array<u32> all = {static_cast<u32 *>(out.at), out.size};
        return fill(all, scratch.at, scratch.size, strips, tables, block_size);
    }
    const Array<u64> all = {static_cast<u64 *>(out.at), out.size};
    return fill(all, scratch.at, scratch.size, strips, tables, block_size);
}

}  // namespace

DOOR(filling_fill)
