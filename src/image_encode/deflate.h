/*
 * deflate: a zlib stream (RFC 1950 and 1951) for rows of pixels, written piece by piece. Beside
 * the usual hash of what came lately it looks where a picture repeats itself: one pixel to the
 * left and one row up; and it steps by whole pixels and over repeats at the speed of memcmp. On
 * drawn pages that is several times faster than a general encoder, on photographs it is worse.
 * Memory: about 1 MB, however long the stream.
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

/* A new stream, appended to out. stride: bytes from a pixel to the one below (a row and its filter
 * byte, which comes first); pixel: bytes from a pixel to the next, 1 to 4. */
void deflate_begin(struct deflate *deflate, size_t stride, size_t pixel, struct buf *out);
void deflate_put(struct deflate *deflate, const void *data, size_t n);
/* The end of the stream: all of it is in out. Whether memory failed, out->failed says. */
void deflate_end(struct deflate *deflate);

/*
 * A stream in parts that are made apart, by one deflate each, and put one after the other: begun,
 * put and ended like a stream of its own, but that the sum of all, which comes behind the last
 * (deflate_sum), is not there. end gives the sum of the part's bytes.
 */
void deflate_begin_part(struct deflate *deflate, size_t stride, size_t pixel, bool first,
                        struct buf *out);
uint32_t deflate_end_part(struct deflate *deflate, bool last);
/* Of bytes whose sum is the one, and so many behind them whose sum is the other. */
uint32_t deflate_join_sums(uint32_t sum, uint32_t more, uint64_t n);
/* As it stands in the stream: four bytes. */
void deflate_sum(uint32_t sum, uint8_t out[static 4]);
