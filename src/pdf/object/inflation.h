/*
 * inflation: measures the decoded size of Flate data (ISO 32000-2, 7.4.4) without keeping the
 * data. One byte may decode to a thousand, of which the engines keep several copies.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Limit in bytes of what data that is compressed more than a hundred times may decode to. */
#define INFLATION_MOST ((uint64_t) 128 << 20)
/* Data of fewer bytes cannot decode to more than INFLATION_MOST: deflate multiplies at most by
 * 1032. */
#define INFLATION_LEAST (INFLATION_MOST / 1032)

/* The decoded size of zlib data, as far as it is sound; INFLATION_MOST + 1 for anything above
 * that. 0 if its beginning shows that it is compressed less than a hundred times. */
uint64_t inflation_size(const unsigned char *data, size_t n);
