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

/* Whether a stream unpacks to its end and its check sum is right. *size: what it unpacks to. */
bool zstream_sound(const unsigned char *data, size_t n, size_t max, size_t *size);
/* The same where many guesses are tried: each takes from `effort`, in bytes that are unpacked, and
 * none is right when that is used up. */
bool zstream_try(const unsigned char *data, size_t n, size_t max, size_t *effort);
void zstream_spend(size_t *effort, size_t bytes);
/* Unpacks a sound stream. False if it is not, or unpacks to more than max. */
bool zstream_unpack(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* Unpacks what can be had of a damaged one; at most max bytes. Returns the number of scars. */
size_t zstream_recover(const unsigned char *data, size_t n, size_t max, struct buf *out);
/* Packs anew. False when out of memory. */
bool zstream_pack(const void *data, size_t n, struct buf *out);
