/* lzw: the compression of GIF files (GIF89a, appendix F): variable codes, the low bits first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes data whose first codes have bits + 1 bits (bits from 1 to 8) into exactly `wanted` bytes;
 * more are not looked at. False if there are fewer, or a code makes no sense. */
bool lzw_decode(const uint8_t *data, size_t n, unsigned bits, uint8_t *out, size_t wanted);
