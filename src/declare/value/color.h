/* color: a colour as clients write it: "#rgb" or "#rrggbb", with hex digits of either case; the
 * hash may be omitted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses the whole of text (n bytes, no NUL needed) as 0xRRGGBB. False if it is malformed; *out
 * is then unchanged. */
bool color_parse(const char *text, size_t n, uint32_t *out);
