// Encoding "words of a strip": the states between two columns and the ways through one. See strips.py.
#include "keys.h"

namespace {

// Codes of a place, beside the places of squares; BEYOND is a place too.
enum Code : u64 { BEYOND = 14, FULL = 15 };
constexpr i64 BEYOND_PLACE = 14, PLACES = 15;
// In place of the square where a path ends: both moves are made.
constexpr i64 BOTH = -1;
constexpr u64 ENDED = u64(1) << 60;
constexpr i64 MOST_WAYS = 10;

struct Rule {
    i64 rows, row, is_open, is_ending;
};

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
    i64 end[PLACES];
};

struct Strip : Rule {
    KeyTable<1> next;
    const Array<i32> targets;
    Counters &now;

    Strip(const Rule &rule, const Layer &layer)
        : Rule(rule), next(layer.next, 1), targets(layer.targets), now(layer.counters[0]) {}

    // How many places a square may be joined to: four squares, and what is beyond the board.
    i64 near() const { return is_open ? 5 : 4; }
    i64 last_place() const { return 2 * rows + 1; }

    // The places of a word, with the square that comes in behind them.
    Places unpacked(u64 word) const {
        Places places{};
        places.end[BEYOND_PLACE] = is_open && !(word & ENDED) ? BEYOND_PLACE : BOTH;
        for (i64 k = 0; k < last_place(); k++) {
            const u64 code = word >> 4 * k & 15;
            places.end[k] = code == FULL ? BOTH : i64(code);
            if (code == BEYOND) places.end[BEYOND_PLACE] = k;
        }
        places.end[last_place()] = is_ending ? BOTH : last_place();
        return places;
    }

    // The word without the first square, so that all places are one less.
    u64 moved_on(const Places &places) const {
        u64 word = is_open && places.end[BEYOND_PLACE] == BOTH ? ENDED : 0;
        for (i64 k = 1; k <= last_place(); k++) {
            const i64 end = places.end[k];
            word |= (end == BOTH ? FULL : end == BEYOND_PLACE ? BEYOND : u64(end - 1)) << 4 * (k - 1);
        }
        return word;
    }

    // The state between two columns with its rows in the other order.
    u64 flipped(u64 word) const {
        u64 turned = word >> 8 * rows << 8 * rows;
        for (i64 k = 0; k < 2 * rows; k++) {
            u64 code = word >> 4 * k & 15;
            if (code < u64(2 * rows)) code = u64(image(i64(code)));
            turned |= code << 4 * image(k);
        }
        return turned;
    }
    i64 image(i64 place) const { return place / rows * rows + rows - 1 - place % rows; }

    // The place of the i-th of the later squares a move away from the current one; -1 where there is none.
    i64 later(i64 i) const {
        if (i == 0) return row >= 2 ? rows - 2 : -1;
        if (i == 1) return row + 2 < rows ? rows + 2 : -1;
        if (i == 2) return row >= 1 ? 2 * rows - 1 : -1;
        if (i == 3) return row + 1 < rows ? last_place() : -1;
        return BEYOND_PLACE;
    }

    // Join the current square to the i-th later one. False where that is not free, or where it makes a cycle, which is
    // counted if it completes a tour.
    bool join(Places *places, i64 i) {
        i64 *end = places->end;
        const i64 u = later(i);
        if (u < 0 || end[u] == BOTH) return false;
        const i64 x = end[0], y = end[u];
        if (x == u) {
            if (is_all_but(*places, u)) targets[now.ways++] = -1;
            return false;
        }
        end[x] = y;
        end[y] = x;
        if (x != 0) end[0] = BOTH;
        if (y != u) end[u] = BOTH;
        return true;
    }

    // Whether the current square and one other are all that lack moves.
    bool is_all_but(const Places &places, i64 u) const {
        for (i64 k = 1; k <= last_place(); k++)
            if (k != u && places.end[k] != BOTH) return false;
        return u == BEYOND_PLACE || places.end[BEYOND_PLACE] == BOTH;
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
        for (i64 i = 0; i < near(); i++) {
            Places one = places;
            if (!join(&one, i)) continue;
            if (places.end[0] != 0) {
                enter(one);
                continue;
            }
            for (i64 j = i + 1; j < near(); j++) {
                Places both = one;
                if (join(&both, j)) enter(both);
            }
        }
    }
};

// Deal with a square in the states now.done ... last-1: enter what follows, and the ways there. It stops where room runs
// short; then now.done is less than `last`.
i64 strips_spread(Rule rule, Layer layer, i64 last) {
    Strip strip(rule, layer);
    for (Counters &now = strip.now; now.done < last; now.done++) {
        if (now.ways + MOST_WAYS > layer.targets.size || now.made + MOST_WAYS > strip.next.room()) break;
        strip.leave(layer.sources[now.done]);
        layer.offsets[now.done + 1] = now.ways;
    }
    return 0;
}

}  // namespace

DOOR(strips_spread)
