/*
 * edit_search: zlib streams (RFC 1950) in which bytes were added, dropped or changed. Where is not
 * written anywhere, but a stream that is read past the place makes no sense soon after it: a code
 * that does not exist, a distance that reaches before the beginning, text that is none. So every
 * edit of the bytes before that is tried, the one that makes sense for longest is kept, and reading
 * goes on, until the check sum says that all are right again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define EDIT_ANY  (-1)
#define EDITS_MAX 4000U /* of one stream */

/* The edits that may undo the damage; those that are false or 0 are not tried. */
struct edits {
    size_t remove; /* as many bytes that were added in one place */
    bool insert;   /* a byte that was dropped, */
    int inserted;  /* this one, or EDIT_ANY */
    bool change;   /* a byte that was changed, */
    int from, to;  /* from this one to that one; EDIT_ANY: to whatever */
    size_t most;   /* edits of one stream, up to EDITS_MAX */
};

/*
 * Appends what the stream unpacks to. *proved: its check sum is right; else it reads well to its
 * end, and most of it is likely right. False if it does not, or effort is used up
 * (inflate_repair/zstream.h).
 */
bool edit_search(const unsigned char *data, size_t n, const struct edits *edits, size_t max,
                 size_t *effort, struct buf *out, bool *proved);
