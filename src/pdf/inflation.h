/*
 * inflation: measures the decoded size of Flate streams (ISO 32000-2, 7.4.4) without keeping the
 * data. One byte may decode to a thousand, of which the engines keep several copies.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/obj.h"

/* Limit in bytes of what data that is compressed more than a hundred times may decode to. */
#define INFLATION_MOST ((uint64_t) 128 << 20)

/* The decoded size of zlib data, as far as it is sound; INFLATION_MOST + 1 for anything above
 * that. 0 if its beginning shows that it is compressed less than a hundred times. */
uint64_t inflation_size(const unsigned char *data, size_t n);
/* The same for a stream whose first filter is Flate; 0 for other filters. */
uint64_t inflation_of(struct obj stream);
/* The same for all content streams of a page together. */
uint64_t inflation_of_content(struct obj page);
