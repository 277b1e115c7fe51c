// The sweep that proves the longest uncrossed tours. See uncrossed.py for the states and the arrays.
#include "../bits.h"

namespace {

constexpr i64 SLOTS = 32, LENGTH_AT = 56, BOTH_AT = 56, ROUND_AT = 48;
constexpr u8 FREE = 0, DONE = 1, LOST = 2, PAIR = 3, NEW = 200;
constexpr u64 MOST_WAYS = (u64(1) << LENGTH_AT) - 1, BLOCKED = (u64(1) << BOTH_AT) - 1;
constexpr u64 FROM = (u64(1) << ROUND_AT) - 1;
// Slot of a finished place; -1 is a place without a slot.
constexpr i64 IS_DONE = -2;
// Maximum number of successors of a state.
constexpr i64 MOST_AFTER = 64;

struct Reached {
    using Item = u64;
    u64 low, high, blocked, ways, from;
};
struct Move {
    using Item = i64;
    i64 slot, bit, blocks, beside;
};
struct Square {
    using Item = i64;
    i64 slot, near, outside, moves;
};
struct Step {
    i64 square, freed, active, rest, twice;
    Array<const Move> moves;
    Array<const Square> window;
    Array<const i64> pattern;
};
struct Rule {
    i64 closed, keeps_dead, is_loose, is_passed, target, most, gain, far, size;
    Array<const u8> bounds;
};
struct Totals {
    using Item = i64;
    i64 count, length, number, came_from, most, is_overfull;
};

u64 mixed(const Reached &key) {
    u64 h = key.low * 0x9E3779B97F4A7C15;
    h ^= h >> 29;
    h = (h + key.high) * 0xBF58476D1CE4E5B9;
    h ^= h >> 32;
    h = (h + key.blocked) * 0x9E3779B97F4A7C15;
    h ^= h >> 30;
    h *= 0x94D049BB133111EB;
    return h ^ (h >> 31);
}

// Saturating sum of two numbers of tours.
u64 added(u64 one, u64 other, Totals &now) {
    const u64 sum = one + other;
    if (sum < MOST_WAYS) return sum;
    now.is_overfull = 1;
    return MOST_WAYS;
}

// Insert a state into a table, whose size is a power of two, or merge it with an equal one.
void put(Array<Reached> table, const Reached &state, Totals &now) {
    const u64 mask = u64(table.size) - 1;
    for (u64 i = mixed(state) & mask;; i = (i + 1) & mask) {
        Reached &other = table[i64(i)];
        if (!other.ways) {
            other = state;
            now.count++;
            return;
        }
        if (other.low != state.low || other.high != state.high || other.blocked != state.blocked) continue;
        const u64 ours = state.ways >> LENGTH_AT, theirs = other.ways >> LENGTH_AT;
        if (ours > theirs)
            other = state;
        else if (ours == theirs)
            other.ways = ours << LENGTH_AT | added(state.ways & MOST_WAYS, other.ways & MOST_WAYS, now);
        return;
    }
}

void unpack(const Reached &state, u8 *marks) {
    for (i64 i = 0; i < 16; i++) {
        marks[i] = u8(state.low >> (4 * i) & 15);
        marks[i + 16] = u8(state.high >> (4 * i) & 15);
    }
}

// Index of the marks of the next squares in a table of bounds.
i64 place_of(const Step &step, const u8 *marks, i64 far) {
    i64 index = 0, power = 1, ends = 0;
    for (const i64 slot : step.pattern) {
        const i64 digit = slot < 0 ? i64(slot == IS_DONE) : marks[slot] < LOST ? marks[slot] : 2;
        index += digit * power;
        power *= 3;
    }
    each_of(u64(step.rest), [&](i64 slot) { ends += marks[slot] >= LOST; });
    return index * far + (ends < far ? ends : far - 1);
}

// Successors of one state when a place gets some of its moves.
struct Choice {
    const Step &step;
    const Rule &rule;
    Totals &now;
    u8 marks[SLOTS] = {};
    u64 blocked = 0, done = 0, ways = 0, from = 0;
    i64 length = 0, both = 0, lost = 0;
    bool is_over = false;

    bool has_ends() const {
        for (const Square &square : step.window)
            if (marks[square.slot] >= LOST) return true;
        return false;
    }

    void relabel(u8 old, u8 mark) {
        for (const Square &square : step.window)
            if (marks[square.slot] == old) marks[square.slot] = mark;
    }

    // Make move k. is_last: whether it is the last chosen move. Returns whether it is possible.
    bool join(i64 k, bool is_last) {
        u8 &here = marks[step.square], &there = marks[step.moves[k].slot];
        const u8 a = here, b = there;
        if (a == DONE || b == DONE || is_over) return false;
        if (a == FREE && b == FREE) {
            here = there = u8(NEW + k);
        } else if (a == FREE) {
            here = b;
            there = DONE;
        } else if (b == FREE) {
            there = a;
            here = DONE;
        } else {
            here = there = DONE;
            if (a != b) {
                if (a == LOST)
                    relabel(b, LOST);
                else
                    relabel(b == LOST ? a : b, b == LOST ? LOST : a);
            } else if (rule.is_loose) {
                return a == LOST;
            } else {
                is_over = true;
                return (a > LOST) == (rule.closed == 1) && is_last && !has_ends();
            }
        }
        return true;
    }

    void leave(const Square &square) {
        marks[square.slot] = DONE;
        done |= bit_of(square.slot);
        blocked |= u64(square.moves);
    }

    // An end without open moves is lost. Returns whether a tour is still possible.
    bool lose(const Square &square, u8 mark) {
        if (rule.closed && !rule.is_loose) return false;
        marks[square.slot] = DONE;
        if (!rule.is_loose) {
            if (mark == LOST) return is_over = !has_ends();
            if (++lost > 2) return false;
        }
        if (mark > LOST) relabel(mark, LOST);
        leave(square);
        return true;
    }

    // Normalise unusable squares and moves. Returns whether a tour is still possible.
    bool settle() {
        for (const Square &square : step.window) {
            if (marks[square.slot] == DONE) leave(square);
            lost += marks[square.slot] == LOST;
        }
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (const Square &square : step.window) {
                const u8 mark = marks[square.slot];
                if (mark == DONE) continue;
                const i64 open =
                    count_of(u64(square.near) & ~done) + square.outside + count_of(u64(square.moves) & ~blocked);
                if (mark == FREE) {
                    const bool is_gone = !(square.near | square.moves | square.outside);
                    const i64 least = !rule.is_loose && (rule.closed || lost == 2) ? 2 : 1;
                    if ((rule.keeps_dead && !is_gone) || open >= least) continue;
                    leave(square);
                    goes_on = true;
                } else if (!open) {
                    if (!lose(square, mark)) return false;
                    if (is_over) return true;
                    goes_on = true;
                }
            }
        }
        return true;
    }

    // Count a complete tour.
    void finish() {
        const u64 number = rule.gain >= 0 && length > both ? added(ways, ways, now) : ways;
        if (length > now.length) {
            now.length = length;
            now.number = i64(number);
            now.came_from = i64(from);
        } else if (length == now.length) {
            now.number = i64(added(u64(now.number), number, now));
        }
    }

    // Maximum excess of moves of the first half over the second.
    i64 more() const { return 2 * (length + rule.gain) - rule.target - both; }

    // Whether its length can still suffice; the half with more moves comes first, since a tour and its half turn are
    // equivalent.
    bool is_long() const { return length + rule.most >= rule.target && (rule.gain < 0 || more() >= 0); }

    // Whether the state can still become long enough, given `is_long`.
    bool can_reach() {
        if (rule.gain == 0 && more() > 0) ways = added(ways, ways, now);
        if (rule.gain <= 0) both = 0;
        if (!rule.bounds.size) return true;
        const i64 may_lose = rule.closed ? 0 : 2 - lost;
        const i64 bound = rule.bounds[may_lose * rule.size + place_of(step, marks, rule.far)];
        return bound && length + bound - 1 >= rule.target;
    }

    void keep(Array<Reached> table) {
        u8 names[256] = {};
        u8 next = PAIR;
        Reached state{0, 0, blocked | u64(both) << BOTH_AT, u64(length) << LENGTH_AT | ways, from};
        each_of(u64(step.active), [&](i64 slot) {
            u8 mark = marks[slot];
            if (mark >= PAIR) {
                if (!names[mark]) names[mark] = next++;
                mark = names[mark];
            }
            (slot < 16 ? state.low : state.high) |= u64(mark) << (4 * (slot & 15));
        });
        if (length > now.most) now.most = length;
        put(table, state, now);
    }
};

// Insert all successors of a state. index: the origin of its successors.
void expand(const Step &step, const Rule &rule, const Reached &state, u64 index, Array<Reached> table, Totals &now) {
    const u64 was = state.blocked & BLOCKED;
    u8 marks[SLOTS];
    unpack(state, marks);
    const i64 choices = rule.is_passed ? 1 : i64(1) << step.moves.size;
    for (i64 chosen = 0; chosen < choices; chosen++) {
        const i64 count = count_of(u64(chosen));
        if (count > 2) continue;
        Choice choice{step, rule, now};
        choice.length = i64(state.ways >> LENGTH_AT) + count;
        choice.both = i64(state.blocked >> BOTH_AT) + count_of(u64(chosen & step.twice));
        if (!choice.is_long()) continue;
        for (i64 slot = 0; slot < SLOTS; slot++) choice.marks[slot] = marks[slot];
        choice.blocked = was & ~u64(step.freed);
        bool can_be = true;
        i64 made = 0;
        each_of(u64(chosen), [&](i64 k) {
            const Move &move = step.moves[k];
            const bool is_free = !(move.bit >= 0 && (was >> move.bit & 1)) && !(u64(chosen) & u64(move.beside));
            can_be = can_be && is_free && choice.join(k, ++made == count);
            choice.blocked |= u64(move.blocks);
        });
        if (!can_be) continue;
        choice.ways = state.ways & MOST_WAYS;
        choice.from = index << 8 | u64(chosen);
        if (!choice.is_over && !choice.settle()) continue;
        if (choice.is_over)
            choice.finish();
        else if (choice.can_reach())
            choice.keep(table);
    }
}

// Insert the successors of states last-1 ... first into the table. Returns the state before which it stopped: after
// `first` if the table is nearly full.
i64 uncrossed_expand(Step step, Rule rule, Array<const Reached> states, Array<Reached> table, Array<Totals> totals,
                     i64 first, i64 last) {
    Totals &now = totals[0];
    for (i64 k = last; k > first; k--) {
        if (4 * (now.count + MOST_AFTER) > 3 * table.size) return k;
        expand(step, rule, states[k - 1], u64(k - 1), table, now);
    }
    return first;
}
void exchange(Reached &one, Reached &other) {
    const Reached held = one;
    one = other;
    other = held;
}
// Move states first ... last-1 of an enlarged table to their positions, with the states in their way. round: number of
// enlargements, recorded in moved states.
i64 uncrossed_settle(Array<Reached> table, i64 round, i64 first, i64 last) {
    const u64 mask = u64(table.size) - 1;
    for (i64 k = first; k < last; k++) {
        Reached state{};
        if (i64(table[k].from >> ROUND_AT) != round) exchange(state, table[k]);
        while (state.ways) {
            state.from = (state.from & FROM) | u64(round) << ROUND_AT;
            u64 i = mixed(state) & mask;
            while (table[i64(i)].ways && i64(table[i64(i)].from >> ROUND_AT) == round) i = (i + 1) & mask;
            exchange(state, table[i64(i)]);
        }
    }
    return 0;
}
// Compact the states of a table to its beginning. Returns their number.
i64 uncrossed_pack(Array<Reached> table) {
    i64 count = 0;
    for (i64 k = 0; k < table.size; k++)
        if (table[k].ways) table[count++] = table[k];
    return count;
}
// Bounds of states first ... last-1: the longest with each pattern, by lost ends; items of Rule.bounds.
i64 uncrossed_bounds(Step step, Rule rule, Array<const Reached> states, Array<u8> bounds, i64 first, i64 last) {
    for (i64 k = first; k < last; k++) {
        u8 marks[SLOTS];
        unpack(states[k], marks);
        i64 lost = 0;
        for (const u8 mark : marks) lost += !rule.closed && mark == LOST;
        u8 &most = bounds[lost * rule.size + place_of(step, marks, rule.far)];
        const u8 length = u8((states[k].ways >> LENGTH_AT) + 1);
        if (length > most) most = length;
    }
    return 0;
}
}  // namespace

EXPORT_KERNEL(uncrossed_expand)
EXPORT_KERNEL(uncrossed_settle)
EXPORT_KERNEL(uncrossed_pack)
EXPORT_KERNEL(uncrossed_bounds)
