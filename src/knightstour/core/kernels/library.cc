// The description of the library.
#include "abi.h"

#ifndef SOURCES
#error "built by builder.py, which says what the sources are"
#endif

// The version: ABI version and hash of all sources, compared by core/machine/native.py.
EXPORT i64 knightstour_version(Text *text) {
    text->length = 0;
    text->add_number(ABI);
    text->add(" " SOURCES);
    return text->length;
}

#ifdef __wasm__
// Multiplication of 128-bit numbers, which compilers call by this name; other platforms have it in a C library.
extern "C" __int128 __multi3(__int128 a, __int128 b) {
    const u64 low_a = u64(a), low_b = u64(b), a0 = low_a & 0xFFFFFFFF, b0 = low_b & 0xFFFFFFFF;
    const u64 a1 = low_a >> 32, b1 = low_b >> 32;
    const u64 first = a0 * b0, second = a1 * b0 + (first >> 32), third = a0 * b1 + (second & 0xFFFFFFFF);
    const u64 high = a1 * b1 + (second >> 32) + (third >> 32) + low_a * u64(b >> 64) + u64(a >> 64) * low_b;
    return __int128((unsigned __int128)high << 64 | (third << 32 | (first & 0xFFFFFFFF)));
}
#endif
