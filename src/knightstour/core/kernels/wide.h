// Kernels that process many items in parallel, for processors with wide registers.
//
// Such a kernel is an inlined function, [[gnu::always_inline]], like its hot subroutines. A separate function calls it
// for each register width, [[gnu::target(AVX2)]] and [[gnu::target(AVX512)]]; `registers` contains the available
// widths.
#pragma once
#include "abi.h"

enum class Registers { OF_ALL, AVX2, AVX512 };

#ifdef __x86_64__
#include <cpuid.h>

inline Registers registers() {
    u32 a = 0, b = 0, c = 0, d = 0;
    constexpr u32 SAVED_BY_SYSTEM = 1u << 27, IS_AVX2 = 1u << 5, IS_AVX512 = 1u << 16 | 1u << 30 | 1u << 31;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & SAVED_BY_SYSTEM)) return Registers::OF_ALL;
    u32 saved = 0, high = 0;
    asm("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (saved & 6) != 6 || !(b & IS_AVX2)) return Registers::OF_ALL;
    return (saved & 0xE6) == 0xE6 && (b & IS_AVX512) == IS_AVX512 ? Registers::AVX512 : Registers::AVX2;
}
#endif
