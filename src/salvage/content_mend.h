/* content_mend: cleans a content stream (ISO 32000-1, 7.8.2) from damaged data: operators with
 * valid operands remain. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Whether every word in it is an operator with its operands. */
bool content_sound(const char *data, size_t n);

/* `alone`: the stream is the whole content of its page or form, so that operators that come in
 * pairs are balanced, and paths begin as they should. What is drawn after the first damage must
 * be similar to what precedes it (salvage/path_check.h). False when out of memory. Damaged
 * inline images are removed. */
bool content_mend(const char *data, size_t n, bool alone, struct buf *out);
