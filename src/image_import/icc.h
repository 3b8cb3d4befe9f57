/* icc: checks that bytes are an ICC colour profile (ICC.1:2010, 7.2) for this number of
 * components. Only the header is checked, not the tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool icc_fits(const uint8_t *profile, size_t n, unsigned components);
