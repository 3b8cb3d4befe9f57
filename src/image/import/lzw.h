/* lzw: decodes GIF's compression (GIF89a, appendix F): codes of variable length, low bits first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes data whose first codes have bits + 1 bits (bits from 1 to 8) into exactly `wanted`
 * bytes; further data is ignored. False if there are fewer, or a code is invalid. */
bool lzw_decode(const uint8_t *data, size_t n, unsigned bits, uint8_t *out, size_t wanted);
