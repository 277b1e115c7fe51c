// The states of a strip between two columns, and the ways that lead through one. strips.py says what the words are.
#include "keys.h"

namespace {

enum Code : u64 { LOOSE = 14, FULL = 15 };
// In place of the square where a path ends: both moves are made; it ends in an end of the tour.
constexpr i64 BOTH = -1, AN_END = -2;
constexpr i64 MOST_WAYS = 6, MOST_ROWS = 7;

struct Counters {
    using Item = i64;
    i64 done, made, ways;
};

struct Layer {
    Array<Counters> counters;
    Array<const u64> sources;
    Array<i64> offsets;
    Array<i32> targets;
    Keys next;
};

// Where the path from each square ends: its own place, if it is bare.
struct Places {
    i64 end[2 * MOST_ROWS + 2];
};

struct Strip {
    const i64 rows, row;
    KeyTable<1> next;
    const Array<i32> targets;
    Counters &now;

    Strip(i64 all_rows, i64 its_row, const Layer &layer)
        : rows(all_rows), row(its_row), next(layer.next, 1), targets(layer.targets), now(layer.counters[0]) {}

    // The places of a word; the square that comes in behind them is bare.
    Places unpacked(u64 word) const {
        Places places{};
        for (i64 k = 0; k <= 2 * rows; k++) {
            const u64 code = word >> 4 * k & 15;
            places.end[k] = code == FULL ? BOTH : code == LOOSE && rows < MOST_ROWS ? AN_END : i64(code);
        }
        places.end[2 * rows + 1] = 2 * rows + 1;
        return places;
    }

    // The word without the first square, so that all places are one less.
    u64 moved_on(const Places &places) const {
        u64 word = 0;
        for (i64 k = 1; k <= 2 * rows + 1; k++) {
            const i64 end = places.end[k];
            word |= (end == BOTH ? FULL : end == AN_END ? LOOSE : u64(end - 1)) << 4 * (k - 1);
        }
        return word;
    }

    // The state between two columns with its rows in the other order.
    u64 flipped(u64 word) const {
        u64 turned = u64(2 * rows) << 8 * rows;
        for (i64 k = 0; k < 2 * rows; k++) {
            u64 code = word >> 4 * k & 15;
            if (code < u64(2 * rows)) code = u64(image(i64(code)));
            turned |= code << 4 * image(k);
        }
        return turned;
    }
    i64 image(i64 place) const { return place / rows * rows + rows - 1 - place % rows; }

    // The place of the i-th of four later squares a move away from the current one; -1 where there is none.
    i64 later(i64 i) const {
        if (i == 0) return row >= 2 ? rows - 2 : -1;
        if (i == 1) return row + 2 < rows ? rows + 2 : -1;
        if (i == 2) return row >= 1 ? 2 * rows - 1 : -1;
        return row + 1 < rows ? 2 * rows + 1 : -1;
    }

    // Join the current square to the i-th later one. False where that square is not free, or it makes a cycle.
    bool join(Places *places, i64 i) const {
        i64 *end = places->end;
        const i64 u = later(i);
        if (u < 0 || end[u] == BOTH || end[0] == u) return false;
        const i64 x = end[0], y = end[u];
        if (x == AN_END) {
            end[y] = AN_END;
        } else if (y == AN_END) {
            end[x] = AN_END;
        } else {
            end[x] = y;
            end[y] = x;
        }
        if (x != 0) end[0] = BOTH;
        if (y != u) end[u] = BOTH;
        return true;
    }

    // The way to the state after the current square.
    void enter(const Places &places) {
        u64 word = moved_on(places);
        if (row == rows - 1) {
            const u64 other = flipped(word);
            if (other < word) word = other;
        }
        const i64 k = next.enter(&word, next.hash_of(&word), now.made);
        now.made += k == now.made;
        targets[now.ways++] = i32(k);
    }

    // All ways from a state.
    void leave(u64 word) {
        const Places places = unpacked(word);
        if (places.end[0] == BOTH) return enter(places);
        for (i64 i = 0; i < 4; i++) {
            Places one = places;
            if (!join(&one, i)) continue;
            if (places.end[0] != 0) {
                enter(one);
                continue;
            }
            for (i64 j = i + 1; j < 4; j++) {
                Places both = one;
                if (join(&both, j)) enter(both);
            }
        }
    }
};

// Deal with the square in a row of the states now.done ... last-1: enter what follows, and the ways there. It stops where
// room runs short; then now.done is less than `last`.
i64 strips_spread(i64 rows, i64 row, Layer layer, i64 last) {
    Strip strip(rows, row, layer);
    for (Counters &now = strip.now; now.done < last; now.done++) {
        if (now.ways + MOST_WAYS > layer.targets.size || now.made + MOST_WAYS > strip.next.room()) break;
        strip.leave(layer.sources[now.done]);
        layer.offsets[now.done + 1] = now.ways;
    }
    return 0;
}

}  // namespace

DOOR(strips_spread)
