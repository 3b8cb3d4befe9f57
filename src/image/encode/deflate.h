/*
 * deflate: encodes a zlib stream (RFC 1950 and 1951) of rows of pixels, piece by piece. Besides the
 * usual hash of recent data it looks for repeats where pictures have them: one pixel to the left
 * and one row up; it steps by whole pixels, and over repeats at the speed of memcmp. On drawn pages
 * it is several times as fast as a general encoder; on photographs it compresses worse. It needs
 * about 1 MB of memory for streams of any length.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct deflate;

struct deflate *deflate_new(struct err *err);
void deflate_free(struct deflate *deflate);

/* Begins a stream, which is appended to out. stride: bytes from a pixel to the one below it (a
 * row with its leading filter byte); pixel: bytes from a pixel to the next, 1 to 4. */
void deflate_begin(struct deflate *deflate, size_t stride, size_t pixel, struct buf *out);
/* Encodes the next n bytes. */
void deflate_put(struct deflate *deflate, const void *data, size_t n);
/* Ends the stream: all of it is in out. out->failed says whether memory ran out. */
void deflate_end(struct deflate *deflate);

/*
 * Encode a stream in independent parts, with one encoder for each, to be concatenated. A part is
 * begun, fed and ended like a whole stream, except that the final Adler-32 is not written: append
 * deflate_sum() after the last part. deflate_end_part returns the Adler-32 of the part's bytes.
 */
void deflate_begin_part(struct deflate *deflate, size_t stride, size_t pixel, bool first,
                        struct buf *out);
uint32_t deflate_end_part(struct deflate *deflate, bool last);
/* Combines the Adler-32 of two consecutive parts; n is the length of the second (zlib's
 * adler32_combine). */
uint32_t deflate_join_sums(uint32_t sum, uint32_t more, uint64_t n);
/* The four bytes of an Adler-32 at the end of a zlib stream. */
void deflate_sum(uint32_t sum, uint8_t out[static 4]);
