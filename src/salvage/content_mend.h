/* content_mend: a content stream (ISO 32000-1, 7.8.2) that came out of damaged data, cleaned: what
 * remains are operators with the operands they take. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Whether every word of it is an operator and has its operands. */
bool content_sound(const char *data, size_t n);

/* `alone`: it is all there is on its page or form, so that what has to be in pairs is kept in
 * pairs, and paths begin where they should. What is drawn behind the first damage has to be like
 * what stands before it (salvage/path_check.h). False when out of memory. Inline images that were
 * damaged are left out. */
bool content_mend(const char *data, size_t n, bool alone, struct buf *out);
