// Encoding "keys": keys of several words, numbered in order of first occurrence, and their hash table.
#pragma once
#include "bits.h"

// Item of a table: a key, and half of its hash, so that most comparisons need not read the key.
struct KeyPlace {
    using Item = u32;
    u32 number;  // key number from 1; 0 for a free entry
    u32 tag;
};

// Key k is words[k * width() ...]. The size of the table is a power of two, at least two entries per key.
struct Keys {
    Array<u64> words;
    Array<KeyPlace> table;
};

template <i64 WIDTH>
struct KeyTable : Keys {
    const i64 words_of_a_key;

    // count: words per key, ignored unless WIDTH is 0.
    KeyTable(const Keys &keys, i64 count) : Keys(keys), words_of_a_key(count) {}

    // Words per key, a constant if the type defines it.
    i64 width() const { return WIDTH ? WIDTH : words_of_a_key; }

    // Capacity in keys.
    i64 room() const {
        const i64 keys = words.size / width(), places = table.size / 2;
        return keys < places ? keys : places;
    }

    u64 hash_of(const u64 *key) const {
        u64 hash = 0;
        for (i64 j = 0; j < width(); j++) {
            hash = (hash ^ key[j]) * 0x9E3779B97F4A7C15;
            hash ^= hash >> 32;
        }
        return hash * 0xD6E8FEB86659FD93;
    }

    bool is_key(i64 number, const u64 *key) const {
        const u64 *mine = &words[number * width()];
        for (i64 j = 0; j < width(); j++)
            if (mine[j] != key[j]) return false;
        return true;
    }

    // First index to probe for a key with this hash.
    i64 first_place(u64 hash) const { return i64(hash >> 32) & (table.size - 1); }

    // Prefetch the data for a key: the table entry, and once that is available, the key.
    void fetch_place(u64 hash) const { __builtin_prefetch(&table[first_place(hash)]); }
    void fetch_key(u64 hash) const {
        const KeyPlace &place = table[first_place(hash)];
        if (place.number) __builtin_prefetch(&words[(place.number - 1) * width()]);
    }

    // Return the number of a key with this hash. A new key becomes number `count`.
    i64 enter(const u64 *key, u64 hash, i64 count) {
        const i64 mask = table.size - 1;
        const u32 tag = u32(hash);
        i64 at = first_place(hash);
        for (; table[at].number; at = (at + 1) & mask)
            if (table[at].tag == tag && is_key(table[at].number - 1, key)) return table[at].number - 1;
        u64 *mine = words.part(count * width(), width()).at;
        for (i64 j = 0; j < width(); j++) mine[j] = key[j];
        table[at] = {u32(count + 1), tag};
        return count;
    }

    // Enter the existing, different keys first ... last-1 into the table.
    void reindex(i64 first, i64 last) {
        const i64 mask = table.size - 1;
        for (i64 k = first; k < last; k++) {
            const u64 hash = hash_of(&words[k * width()]);
            i64 at = first_place(hash);
            while (table[at].number) at = (at + 1) & mask;
            table[at] = {u32(k + 1), u32(hash)};
        }
    }
};
