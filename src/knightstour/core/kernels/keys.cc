// Operations on keys alone; march.cc and corners.cc build on them.
#include "keys.h"

namespace {

// Prefetch distance, in keys.
constexpr i64 AHEAD = 16;

// Enter keys first ... last-1, all different, into a larger table. width: words per key.
i64 keys_reindex(Keys keys, i64 width, i64 first, i64 last) {
    KeyTable<0>(keys, width).reindex(first, last);
    return 0;
}

// Insert keys after the `count` existing ones, if there is capacity, and mark the known ones. Returns the new number of
// keys.
i64 keys_mark_repeats(Keys keys, i64 width, Array<const u64> more, Array<bool> is_repeat, i64 count) {
    KeyTable<0> table(keys, width);
    for (i64 k = 0; k < is_repeat.size; k++) {
        if (k + AHEAD < is_repeat.size) table.fetch_place(table.hash_of(more.part((k + AHEAD) * width, width).at));
        const u64 *key = more.part(k * width, width).at;
        is_repeat[k] = table.enter(key, table.hash_of(key), count) < count;
        count += !is_repeat[k];
    }
    return count;
}

}  // namespace

EXPORT_KERNEL(keys_reindex)
EXPORT_KERNEL(keys_mark_repeats)
