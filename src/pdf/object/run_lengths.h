/*
 * run_lengths: measures the decoded size of run-length encoded data (ISO 32000-2, 7.4.5) without
 * decoding it. Two bytes decode to 128, which the engines write one at a time: ten seconds for a
 * file of 20 kB.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Limits of the decoded size in bytes, above which it is not decoded: of a page's content
 * together; of any other stream. */
#define RUN_LENGTHS_CONTENT ((uint64_t) 64 << 20)
#define RUN_LENGTHS_STREAM  ((uint64_t) 256 << 20)

/* The decoded size of the bytes, up to the end mark or the last byte. */
uint64_t run_lengths_size(const unsigned char *data, size_t n);
