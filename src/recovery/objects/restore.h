/*
 * restore: restores damaged zlib streams exactly: converted line ends, flipped bits, bytes that
 * were added, dropped or changed. The checksum proves it.
 */
#pragma once

#include "recovery/objects/objects.h"

enum restored {
    RESTORED_NOT,
    RESTORED_PROVED, /* `out` is the original stream, encoded */
    RESTORED_LIKELY, /* `out` is the decoded data, as far as known */
};

/*
 * Tries repairs that are compatible with the stream's length and with bytes that never occur in the
 * file. Trials use up objects->effort and objects->flip_effort. `max`: limit of the decoded size.
 * `out` is empty, and stays so for RESTORED_NOT.
 */
enum restored restore_stream(struct objects *objects, const struct object *object, size_t max,
                             struct buf *out);
