/*
 * restore: zlib streams that are damaged, made what they were: line ends that were changed, bits
 * that flipped, bytes that were added, dropped or changed. The check sum proves it.
 */
#pragma once

#include "salvage/objects.h"

enum restored {
    RESTORED_NOT,
    RESTORED_PROVED, /* `out` is the stream as it was, packed */
    RESTORED_LIKELY, /* `out` is what it unpacks to, as far as can be told */
};

/*
 * Tries what goes with the stream's length and with the bytes that are nowhere in the file. What is
 * tried takes from objects->effort and objects->flip_effort. `max`: bytes it may unpack to. `out`
 * is empty, and stays so for RESTORED_NOT.
 */
enum restored restore_stream(struct objects *objects, const struct object *object, size_t max,
                             struct buf *out);
