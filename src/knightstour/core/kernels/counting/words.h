// Encoding "words": the pairing of the ends of partial tours.
//
// word: 64 bits; nibble i is the number of slot i xor its mate's, or 0 if slot i is not an end. With one placed end of
// the tour, one path is *loose*: its other end is the end of the tour, and its slot ends a path with nibble 0. With
// both placed, the two loose paths count as one path, as if the two ends of the tour were joined. Paths that join their
// own ends are rejected, which excludes cycles and tours that are complete too early.
//
// There are two kinds of words, the type parameter `Word`: Narrow, of 16 slots, and Wide, of 18, for closed tours only.
// A wide word also has 64 bits. Its two *high* slots, 16 and 17, have no nibble. The mate of a high slot has nibble 0;
// if there are two such ends, the nibble of the mate of slot 16 leads to the mate of slot 17, whose nibble is 0. A wide
// word is therefore defined only together with the ends of its class. Without ends in high slots it is an ordinary
// word.
#pragma once
#include "matchings.h"

namespace {

constexpr int HIGH = 16;
constexpr u32 LOW_SLOTS = 0xFFFF, ALL_SLOTS = 0x3FFFF;
// An impossible word, used for "none": slot 0 has mate 1, slot 1 has mate 2, slot 2 has no mate.
constexpr u64 NO_WORD = 0x31;
// One bit per nibble, and the number of each nibble.
constexpr u64 ONES = 0x1111111111111111, NUMBERS = 0xFEDCBA9876543210;

// The nibble of a slot, and a nibble moved to a slot.
inline int nibble(u64 word, int slot) { return int(word >> 4 * slot & 15); }
inline u64 at(int nibble, int slot) { return u64(nibble) << 4 * slot; }
// A hash whose high bits depend on the whole word.
inline u64 hash_of(u64 word) { return word * 0x9E3779B97F4A7C15; }

// ---------------------------------------------------------------- operations

// Effect of a choice on the words of a class. LAST operations place the second end of the tour.
enum Name {
    KEEP,    // the word is unchanged; a bare slot that becomes loose keeps nibble 0
    PAIR,    // a and b, both bare, become mates
    MOVE,    // the path that ended at a ends at b, which was bare
    JOIN,    // the paths that end at a and at b become one
    LOOSEN,  // the tour ends at a, so the other end of the path becomes loose
    LOOSEN_LAST,
    STUB_LAST,  // a, bare, ends a path whose other end is the end of the tour
};
// Flag in the code of an operation: the state is then replaced by its image under the flip of the board.
constexpr i64 FLIPPED = 1 << 12;
// Number of low bits of an edge, for its operation; the index of its source is above.
constexpr int OP_BITS = 13;

struct Operation {
    int name, a, b;

    // Code: name | a << 4 | b << 8. If a or b is a high slot, the 4 bits contain its number minus 16, and PAIR, MOVE or
    // JOIN has one of nine additional names.
    i64 code() const {
        const int high = a >> 4 | b >> 4 << 1;
        return (high ? name + 3 + 3 * high : name) | (a & 15) << 4 | (b & 15) << 8;
    }
    static Operation of(i64 code) {
        const int name = int(code & 15), a = int(code >> 4 & 15), b = int(code >> 8 & 15);
        const int high = name < 7 ? 0 : (name - 4) / 3;
        return {high ? (name - 7) % 3 + 1 : name, a | (high & 1) << 4, b | high >> 1 << 4};
    }
    // Whether the operation can join the ends of one path. Otherwise it is injective on words.
    bool may_fail() const { return name == JOIN || name == LOOSEN_LAST; }
    // The ends of a class after KEEP, PAIR, MOVE or JOIN.
    u32 ends_after(u32 ends) const { return name == KEEP ? ends : ends ^ 1u << a ^ 1u << b; }
};

// Call use(name) with the name of an operation as a compile-time constant, to specialise loops.
template <int name>
struct Constant {
    constexpr operator int() const { return name; }
};
template <class Use>
inline auto with_name(int name, Use use) {
    switch (name) {
        case PAIR:
            return use(Constant<PAIR>());
        case MOVE:
            return use(Constant<MOVE>());
        case JOIN:
            return use(Constant<JOIN>());
        case LOOSEN:
            return use(Constant<LOOSEN>());
        case LOOSEN_LAST:
            return use(Constant<LOOSEN_LAST>());
        case STUB_LAST:
            return use(Constant<STUB_LAST>());
        default:
            return use(Constant<KEEP>());
    }
}

// Effect of a permutation of the slots on words: the image of each byte, combined by xor. Wide words use only a ninth
// row, with the image of each slot. See layers.turn_table.
struct Images {
    using Item = i64;
    u64 of[256];
};
using Turn = Array<const Images>;
constexpr i64 BYTES = 8;

// ---------------------------------------------------------------- words of 16 slots

// The slot of the loose path.
inline int loose_of(u64 word, u32 ends) {
    for (; ends; ends &= ends - 1)
        if (nibble(word, slot_of(ends)) == 0) return slot_of(ends);
    return 0;
}

struct Narrow {
    // The word after an operation, or NO_WORD if a path would join its own ends. ends: ends before the operation.
    [[gnu::always_inline]] static inline u64 changed(u64 word, int name, int a, int b, u32 ends) {
        if (name == KEEP) return word;
        if (name == STUB_LAST) {
            const int y = loose_of(word, ends);
            return word ^ at(a ^ y, a) ^ at(a ^ y, y);
        }
        if (name == PAIR) return word ^ at(a ^ b, a) ^ at(a ^ b, b);
        const int f = nibble(word, a), x = a ^ f;
        if (name == LOOSEN) return word ^ at(f, a) ^ at(f, x);
        if (name == LOOSEN_LAST) {
            if (f == 0) return NO_WORD;
            const int y = loose_of(word, ends);
            return word ^ at(f, a) ^ at(f ^ x ^ y, x) ^ at(x ^ y, y);
        }
        if (name == MOVE) return f == 0 ? word : word ^ at(f, a) ^ at(x ^ b, b) ^ at(a ^ b, x);
        if (x == b) return NO_WORD;
        const int g = nibble(word, b), y = b ^ g;
        if (f == 0) return word ^ at(g, b) ^ at(g, y);
        if (g == 0) return word ^ at(f, a) ^ at(f, x);
        return word ^ at(f, a) ^ at(g, b) ^ at(a ^ y, x) ^ at(b ^ x, y);
    }
    // The word with its slots permuted. The ends are unused here.
    [[gnu::always_inline]] static inline u64 turned(u64 word, u32, const Turn &turn) {
        u64 found = 0;
        for (i64 k = 0; k < BYTES; k++) found ^= turn[k].of[word >> 8 * k & 255];
        return found;
    }
};

// ---------------------------------------------------------------- wide words

// A wide word with the mates of slots 16 and 17, or -1 if these are not ends. In `word` the mates of high slots have
// nibble 0.
struct Opened {
    u64 word = 0;
    int m16 = -1, m17 = -1;

    Opened() = default;
    Opened(u64 shut, u32 ends) : word(shut) {
        const u32 high = ends >> HIGH;
        if (high == 0) return;
        const u64 where = spread(ends), empty = empty_nibbles(word) & where;
        if (empty == 0) {  // mates of each other
            m16 = HIGH + 1;
            m17 = HIGH;
            return;
        }
        const int u = slot_of_bit(empty);
        if (high == 1) m16 = u;
        if (high != 1) m17 = u;
        if (high < 3) return;
        // The only end that leads to u is the mate of slot 16.
        m16 = slot_of_bit(empty_nibbles(word ^ NUMBERS ^ u64(u) * ONES) & where & ~empty);
        word ^= at(u ^ m16, m16);
    }
    u64 shut() const {
        const bool are_both = 0 <= m16 && m16 < HIGH && 0 <= m17 && m17 < HIGH;
        return are_both ? word ^ at(m16 ^ m17, m16) : word;
    }
    int mate_of(int a) const {
        if (a >= HIGH) return a == HIGH ? m16 : m17;
        return a == m16 ? HIGH : a == m17 ? HIGH + 1 : a ^ nibble(word, a);
    }
    // Make ends a and b mates; they had none.
    void link(int a, int b) { exchange(a, b, a + b - HIGH, a + b - HIGH - 1); }
    // Separate the mates a and b.
    void unlink(int a, int b) { exchange(a, b, -1, -1); }

private:
    void exchange(int a, int b, int new_m16, int new_m17) {
        if (a < HIGH && b < HIGH) word ^= at(a ^ b, a) ^ at(a ^ b, b);
        if (a == HIGH || b == HIGH) m16 = new_m16;
        if (a > HIGH || b > HIGH) m17 = new_m17;
    }
    static int slot_of_bit(u64 bits) { return int(lowest(bits)) >> 2; }
    // The lowest bit of each nibble that is 0.
    static u64 empty_nibbles(u64 word) {
        word |= word >> 1;
        return ~(word | word >> 2) & ONES;
    }
    // One bit in the nibble of each end in slots 0 to 15.
    static u64 spread(u32 ends) {
        u64 x = ends & LOW_SLOTS;
        x = (x | x << 24) & 0x000000FF000000FF;
        x = (x | x << 12) & 0x000F000F000F000F;
        x = (x | x << 6) & 0x0303030303030303;
        return (x | x << 3) & ONES;
    }
};

struct Wide {
    static u64 changed(u64 word, int name, int a, int b, u32 ends) {
        if (name == KEEP) return word;
        if ((ends | 1u << a | 1u << b) >> HIGH == 0) return Narrow::changed(word, name, a, b, ends);
        Opened opened(word, ends);
        if (name == PAIR) {
            opened.link(a, b);
            return opened.shut();
        }
        const int x = opened.mate_of(a);
        int y = b;
        if (name == JOIN) {
            if (x == b) return NO_WORD;
            y = opened.mate_of(b);
            opened.unlink(b, y);
        }
        opened.unlink(a, x);
        opened.link(x, y);
        return opened.shut();
    }
    static u64 turned(u64 word, u32 ends, const Turn &turn) {
        const Opened from(word, ends);
        Opened to;
        const u64 *image = turn[BYTES].of;
        for (u32 left = ends; left;) {
            const int a = slot_of(left), b = from.mate_of(a);
            to.link(int(image[a]), int(image[b]));
            left &= ~(1u << a | 1u << b);
        }
        return to.shut();
    }
};

// Call use(Word()) with the kind of words of a permutation of slots.
template <class Use>
inline auto with_words(const Turn &turn, Use use) {
    return turn.size > BYTES ? use(Wide()) : use(Narrow());
}

}  // namespace
