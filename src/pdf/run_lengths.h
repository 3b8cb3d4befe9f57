/*
 * run_lengths: how much a stream of run lengths (ISO 32000-2, 7.4.5) becomes, without unpacking it.
 * Two bytes make 128, and the engines write them one at a time: ten seconds for a file of 20 kB.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/obj.h"

/* Bytes a stream's run lengths unpack to at most, for it to be worth unpacking: of a page's content
 * together; of any other stream. */
#define RUN_LENGTHS_CONTENT ((uint64_t) 64 << 20)
#define RUN_LENGTHS_STREAM  ((uint64_t) 256 << 20)

/* What the bytes unpack to, as far as their end: the one that says so, or the last. */
uint64_t run_lengths_size(const unsigned char *data, size_t n);

/* What a stream's run lengths unpack to: 0 if it has none. */
uint64_t run_lengths_unpacked(struct obj stream);
/* Whether those of a page's content are more than RUN_LENGTHS_CONTENT. */
bool run_lengths_are_many(struct obj page);
