/*
 * inflation: how much a Flate stream (ISO 32000-2, 7.4.4) becomes, without keeping it. A thousand
 * bytes may come of one, and the engines keep them all, several times.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/obj.h"

/* Bytes: more is not unpacked where it comes of less than a hundredth as many. */
#define INFLATION_MOST ((uint64_t) 128 << 20)

/* What zlib data unpacks to, as far as it is sound; INFLATION_MOST + 1 for anything above that. 0
 * if its beginning shows that it is packed less than a hundred times. */
uint64_t inflation_size(const unsigned char *data, size_t n);
/* The same of a stream whose first filter is Flate; 0 if that is another. */
uint64_t inflation_of(struct obj stream);
/* The same of all streams of a page's content together. */
uint64_t inflation_of_content(struct obj page);
