// Error handling with -DCHECKED: the call ends, and Python raises an error with the place. Only developers build this
// variant; it needs a C library.
#ifdef CHECKED
#include <setjmp.h>

#include "abi.h"

namespace {
thread_local jmp_buf way_out;
thread_local Text what;

void begin(const char *file, i64 line, const char *kind) {
    what.length = 0;
    what.add(file);
    what.add(":");
    what.add_number(line);
    what.add(": ");
    what.add(kind);
}

// Location of a fault found by the compiler's checks (-fsanitize); each of their records starts with this.
struct Place {
    const char *file;
    u32 line, column;
};
[[noreturn]] void leave(const Place *place, const char *kind) {
    begin(place->file, place->line, kind);
    longjmp(way_out, 1);
}
}  // namespace

void out_of_bounds(Index index, i64 size) {
    begin(index.file, index.line, "index ");
    what.add_number(index.value);
    what.add(" of an array of ");
    what.add_number(size);
    longjmp(way_out, 1);
}

i64 guarded(i64 (*function)(const i64 *), const i64 *words) { return setjmp(way_out) ? FAULT : function(words); }

// Error message of the latest call in this thread.
EXPORT i64 knightstour_fault(Text *text) {
    *text = what;
    return text->length;
}

// Functions that the compiler's checks call.
extern "C" {
void __ubsan_handle_add_overflow(const Place *place) { leave(place, "overflow of a sum"); }
void __ubsan_handle_sub_overflow(const Place *place) { leave(place, "overflow of a difference"); }
void __ubsan_handle_mul_overflow(const Place *place) { leave(place, "overflow of a product"); }
void __ubsan_handle_negate_overflow(const Place *place) { leave(place, "overflow of a negation"); }
void __ubsan_handle_divrem_overflow(const Place *place) { leave(place, "division by 0, or its overflow"); }
void __ubsan_handle_shift_out_of_bounds(const Place *place) { leave(place, "shift by too many bits"); }
void __ubsan_handle_out_of_bounds(const Place *place) { leave(place, "index out of bounds of a table"); }
void __ubsan_handle_invalid_builtin(const Place *place) { leave(place, "lowest or highest number of an empty set"); }
}
#endif
