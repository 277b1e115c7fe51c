// Calls of kernels from Python (core/machine/native.py is the other side).
//
// Python calls *kernel functions*. Their parameters are numbers (i64, u64, double), NumPy arrays, and structs of
// these; they return an i64, except the minimum value. `EXPORT_KERNEL(name)` below a function defines two C functions:
//
//   name_signature   writes the parameter types as text, such as "{ i8x12 =i8 i8 } int", so that Python needs no
//                    table, and rejects wrong argument types and outdated libraries.
//   name_call        receives the arguments as 64-bit words and calls the function.
//
// An array is two words, its address and its number of items, plus the item size in bytes if it supports several
// dtypes; a number is one word. All platforms use this convention, including 32-bit ones, and all these C functions
// have one prototype, as WebAssembly requires.
#pragma once
#include <stdint.h>  // no library of C++ is needed, neither to compile nor to run

using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

// Version of the calling convention; core/machine/native.py contains it too.
constexpr i64 ABI = 2;
// Return value of a kernel function of the checked library after an error.
constexpr i64 FAULT = INT64_MIN;

#ifdef CHECKED
// An index with its source location.
struct Index {
    i64 value;
    const char *file;
    i64 line;
    Index(i64 i, const char *its_file = __builtin_FILE(), i64 its_line = __builtin_LINE())
        : value(i), file(its_file), line(its_line) {}
};
// Leave the current kernel function; Python raises an error with the place and the reason. See checked.cc.
[[noreturn]] void out_of_bounds(Index index, i64 size);
i64 guarded(i64 (*function)(const i64 *), const i64 *words);
#else
using Index = i64;
inline i64 guarded(i64 (*function)(const i64 *), const i64 *words) { return function(words); }
#endif

// A NumPy array: contiguous, aligned, and alive during the call. `Array<const T>` may be read-only in Python. A struct
// T whose members all have one type declares it by `using Item = i64;`; in Python it is that many items of an array.
template <class T>
struct Array {
    using Type = T;
    T *at;
    i64 size;

    T &operator[](Index i) const {
#ifdef CHECKED
        if (i.value < 0 || i.value >= size) out_of_bounds(i, size);
        return at[i.value];
#else
        return at[i];
#endif
    }
    // `count` items from item `first` on.
    Array part(Index first, Index count) const {
#ifdef CHECKED
        if (first.value < 0 || first.value > size) out_of_bounds(first, size);
        if (count.value < 0 || count.value > size - first.value) out_of_bounds(count, size - first.value);
        return {at + first.value, count.value};
#else
        return {at + first, count};
#endif
    }
    T *begin() const { return at; }
    T *end() const { return at + size; }
};

// A NumPy array with one of several dtypes of different sizes: `AnyOf<u8, u16, i32>`, or with const before each.
// `visit(use)` calls use(array) with the actual `Array<T>`.
template <class... Ts>
struct AnyOf {
    void *at;
    i64 size, bytes;

    // The array with item type T, if `bytes` matches.
    template <class T>
    Array<T> as() const {
        return {static_cast<T *>(at), size};
    }
    template <class Use>
    i64 visit(Use use) const {
        i64 result = 0;
        ((sizeof(Ts) == u64(bytes) ? void(result = use(as<Ts>())) : void()), ...);
        return result;
    }
};

// Text for Python.
struct Text {
    i64 length;
    char chars[2040];

    void add(const char *more) {
        while (*more && length < i64(sizeof chars) - 1) chars[length++] = *more++;
        chars[length] = 0;
    }
    void add_number(i64 number) {
        if (number < 0) add("-");
        u64 left = number < 0 ? -u64(number) : u64(number);
        char digits[24] = {};
        int first = 23;
        do digits[--first] = char('0' + left % 10);
        while (left /= 10);
        add(digits + first);
    }
};

// ---------------------------------------------------------------- names of parameter types

// An item of an array: NumPy's code for its dtype, and the number of scalars.
template <class T>
struct Item {
    static constexpr const char *kind = Item<typename T::Item>::kind;
    static constexpr i64 count = sizeof(T) / sizeof(typename T::Item);
};
template <class T>
struct Item<const T> : Item<T> {};
struct Single {
    static constexpr i64 count = 1;
};
template <>
struct Item<bool> : Single {
    static constexpr const char *kind = "b1";
};
template <>
struct Item<i8> : Single {
    static constexpr const char *kind = "i1";
};
template <>
struct Item<i16> : Single {
    static constexpr const char *kind = "i2";
};
template <>
struct Item<i32> : Single {
    static constexpr const char *kind = "i4";
};
template <>
struct Item<i64> : Single {
    static constexpr const char *kind = "i8";
};
template <>
struct Item<u8> : Single {
    static constexpr const char *kind = "u1";
};
template <>
struct Item<u16> : Single {
    static constexpr const char *kind = "u2";
};
template <>
struct Item<u32> : Single {
    static constexpr const char *kind = "u4";
};
template <>
struct Item<u64> : Single {
    static constexpr const char *kind = "u8";
};
template <>
struct Item<double> : Single {
    static constexpr const char *kind = "f8";
};

template <class T>
constexpr bool is_read_only = false;
template <class T>
constexpr bool is_read_only<const T> = true;

// ---------------------------------------------------------------- structs, member by member

template <class T>
T made();  // never called
template <class Is, class S, class... Values>
struct Takes {
    static constexpr bool is = false;
};
template <class S, class... Values>
struct Takes<decltype(void(S{made<Values>()...})), S, Values...> {
    static constexpr bool is = true;
};

// A struct with one copy of a source for each member; a source converts to a new value of any type. Braces evaluate the
// members in order.
template <class S, class Source, class... Copies>
S filled(const Source &source, const Copies &...copies) {
    if constexpr (Takes<void, S, Source, Copies...>::is)
        return filled<S>(source, source, copies...);
    else
        return S{copies...};
}

// ---------------------------------------------------------------- parameters of a kernel function, and the call

struct Describing;
struct Taking;

// A parameter, or a member of a struct.
template <class P>
struct Argument {
    static void describe(Text *signature);
    static P take(const i64 *&words);
};
template <>
struct Argument<i64> {
    static void describe(Text *signature) { signature->add(" int"); }
    static i64 take(const i64 *&words) { return *words++; }
};
template <>
struct Argument<u64> {
    static void describe(Text *signature) { signature->add(" uint"); }
    static u64 take(const i64 *&words) { return u64(*words++); }
};
template <>
struct Argument<double> {
    static void describe(Text *signature) { signature->add(" float"); }
    static double take(const i64 *&words) {
        double number;
        __builtin_memcpy(&number, words++, sizeof number);
        return number;
    }
};
template <class T>
struct Argument<Array<T>> {
    static void describe(Text *signature) {
        signature->add(is_read_only<T> ? " =" : " ");
        signature->add(Item<T>::kind);
        if (Item<T>::count == 1) return;
        signature->add("x");
        signature->add_number(Item<T>::count);
    }
    static Array<T> take(const i64 *&words) {
        const i64 *mine = words;
        words += 2;
        return {reinterpret_cast<T *>(uintptr_t(mine[0])), mine[1] / Item<T>::count};
    }
};

template <class T, class... Ts>
struct Argument<AnyOf<T, Ts...>> {
    static void describe(Text *signature) {
        signature->add(is_read_only<T> ? " =" : " ");
        signature->add(Item<T>::kind);
        ((signature->add("|"), signature->add(Item<Ts>::kind)), ...);
    }
    static AnyOf<T, Ts...> take(const i64 *&words) {
        const i64 *mine = words;
        words += 3;
        return {reinterpret_cast<void *>(uintptr_t(mine[0])), mine[1], mine[2]};
    }
};

// Sources for `filled`.
struct Describing {
    Text *signature;
    template <class P>
    operator P() const {
        Argument<P>::describe(signature);
        return P{};
    }
};
struct Taking {
    const i64 **words;
    template <class P>
    operator P() const {
        return Argument<P>::take(*words);
    }
};
template <class P>
void Argument<P>::describe(Text *signature) {
    signature->add(" {");
    filled<P>(Describing{signature});
    signature->add(" }");
}
template <class P>
P Argument<P>::take(const i64 *&words) {
    return filled<P>(Taking{&words});
}

template <auto function>
struct KernelFunction;
template <class... P, i64 (*function)(P...)>
struct KernelFunction<function> {
    struct Called {  // with braces its arguments are taken from left to right
        i64 result;
        Called(P... arguments) : result(function(arguments...)) {}
    };
    static i64 describe(Text *signature) {
        signature->length = 0;
        (Argument<P>::describe(signature), ...);
        return signature->length;
    }
    static i64 call(const i64 *words) { return Called{Argument<P>::take(words)...}.result; }
};

#ifdef _WIN32
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif
#define EXPORT_KERNEL(name)                                                                            \
    EXPORT i64 name##_signature(Text *signature) { return KernelFunction<name>::describe(signature); } \
    EXPORT i64 name##_call(const i64 *words) { return guarded(KernelFunction<name>::call, words); }
