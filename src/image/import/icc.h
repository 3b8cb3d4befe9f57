/* icc: checks ICC colour profiles (ICC.1:2010, 7.2 and 7.3) by their header and tag table; the data
 * of the tags is not read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether n bytes are a profile of a kind that an image can have, for colours of this number of
 * components: 1 (gray), 3 (RGB) or 4 (CMYK). */
bool icc_fits(const uint8_t *profile, size_t n, unsigned components);
