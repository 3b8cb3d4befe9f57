/* icc: whether bytes are a colour profile (ICC.1:2010, 7.2) for so many components. The header is
 * judged, not the tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool icc_fits(const uint8_t *profile, size_t n, unsigned components);
