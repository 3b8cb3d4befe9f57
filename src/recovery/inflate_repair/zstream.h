/*
 * zstream: decodes zlib streams (RFC 1950, 1951) that are damaged, before and after the damage.
 *
 * A Huffman decoder synchronises again a few symbols after a damaged byte. So an invalid code is
 * skipped, a distance that reaches before the beginning of the data gives blanks, and an end of
 * block that no valid block follows is ignored: the output has some wrong bytes at the damage (a
 * scar), and the rest of the stream after it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Whether a stream decodes to its end with the right checksum. *size: its decoded size. */
bool zstream_sound(const unsigned char *data, size_t n, size_t max, size_t *size);
/* The same if many guesses are tried: each uses up `effort`, in decoded bytes. Returns false when
 * that is used up. */
bool zstream_try(const unsigned char *data, size_t n, size_t max, size_t *effort);
/* Subtracts decoded bytes from `effort`, down to 0. */
void zstream_spend(size_t *effort, size_t bytes);
/* Decodes a correct stream. False if the stream is damaged or decodes to more than max bytes. */
bool zstream_unpack(const unsigned char *data, size_t n, size_t max, struct buf *out);
struct zstream_scars {
    size_t n;
    size_t first, last; /* bytes of the output before the first and the last of them */
};

/*
 * What damage did to the decoded data: bytes that are missing from an offset on, or too many; one
 * of the two is 0. All repetitions after it that reach before it depend on that.
 *
 * `doubts` gets a byte for each byte of the output: not 0 for what was put in for lost bytes, for
 * the bytes before and after it that are unsure, and for all repetitions of these.
 */
struct zstream_gap {
    size_t at, lost, added, unsure_before, unsure_after;
    struct buf *doubts;
};

/* Decodes as much as possible of a damaged stream; at most max bytes. `gap`: it is closed, by
 * blanks for what is lost, as soon as that many bytes are decoded; NULL: none is known. */
struct zstream_scars zstream_recover(const unsigned char *data, size_t n, size_t max,
                                     const struct zstream_gap *gap, struct buf *out);
/* Encodes data as a zlib stream. False when out of memory. */
bool zstream_pack(const void *data, size_t n, struct buf *out);
