/* color: a colour as clients write it: "#rgb" or "#rrggbb", in hex digits of either case; the hash
 * may be left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text (n bytes, no NUL needed) as 0xRRGGBB. False otherwise, *out is untouched. */
bool color_parse(const char *text, size_t n, uint32_t *out);
