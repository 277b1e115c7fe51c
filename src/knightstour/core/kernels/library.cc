// What the library says of itself.
#include "abi.h"

#ifndef SOURCES
#error "built by builder.py, which says what the sources are"
#endif

// The version: that of the ABI, and the hash of all sources. core/machine/native.py compares them.
EXPORT i64 knightstour_version(Text *text) {
    text->length = 0;
    text->add_number(ABI);
    text->add(" " SOURCES);
    return text->length;
}
