/*
 * inflate: decodes deflate data (RFC 1951) piece by piece with zlib, so that the caller
 * limits the size of the result: one byte may decode to a thousand.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum inflate_wrap {
    INFLATE_ZLIB,         /* a zlib stream (RFC 1950) */
    INFLATE_ZLIB_OR_GZIP, /* the same, or a gzip file (RFC 1952) */
    INFLATE_BARE,         /* neither header nor checksum */
};

enum inflate_end {
    INFLATE_WHOLE,   /* the data was decoded to its end, and has the right checksum */
    INFLATE_STOPPED, /* `put` returned false */
    INFLATE_DAMAGED, /* the data is damaged or cut off: `put` got what comes before that */
    INFLATE_FAILED,  /* out of memory, or there are more than 4 GB of data */
};

/* Receives the next n decoded bytes, n > 0; false: no more are wanted. */
typedef bool inflate_put(void *arg, const unsigned char *piece, size_t n);
/* Decodes n bytes of data and passes the result to `put` piece by piece. */
enum inflate_end inflate_each(const void *data, size_t n, enum inflate_wrap wrap, inflate_put *put,
                              void *arg);

/* Appends the decoded bytes of a zlib stream. False if it is not whole, decodes to more than `max`
 * bytes or memory ran out: some bytes may have been appended then. */
bool inflate_bytes(const void *data, size_t n, size_t max, struct buf *out);

/* Whether a zlib stream ends before a block of it does, so that what the block held is lost; false
 * if only the checksum or the mark of the last block is missing, or beyond `max` decoded bytes. */
bool inflate_is_cut(const void *data, size_t n, size_t max);

/* Decodes a zlib stream of which only that is missing: the checksum, the last block, or its mark.
 * False for all others: some bytes may have been appended then. */
bool inflate_unmarked(const void *data, size_t n, size_t max, struct buf *out);
