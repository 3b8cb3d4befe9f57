/*
 * edit_search: repairs zlib streams (RFC 1950) in which bytes were added, dropped or changed. The
 * places are unknown, but soon after one the decoded data makes no sense: an invalid code, a
 * distance beyond the beginning, bytes that are not text. So every edit of the bytes before that is
 * tried, the one that decodes well for longest is kept, and decoding continues, until the checksum
 * confirms that all edits are right.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define EDIT_ANY  (-1)  /* any byte */
#define EDITS_MAX 4000U /* limit of one stream */

/* The edits to try; those that are false or 0 are not tried. */
struct edits {
    size_t remove; /* number of bytes that were added in one place */
    bool insert;   /* a byte that was dropped */
    int inserted;  /* that byte, or EDIT_ANY */
    bool change;   /* a byte that was changed */
    int from, to;  /* from this value to that one; EDIT_ANY: to any */
    size_t most;   /* limit of the edits of one stream, up to EDITS_MAX */
};

/*
 * Appends the decoded stream, of at most `max` bytes. *proved: its checksum is right; else it
 * decodes well to its end, and most of it is probably right. False if it does not, or effort is
 * used up (recovery/inflate_repair/zstream.h).
 */
bool edit_search(const unsigned char *data, size_t n, const struct edits *edits, size_t max,
                 size_t *effort, struct buf *out, bool *proved);
