/* content_mend: cleans a content stream (ISO 32000-1, 7.8.2) from damaged data: operators with
 * valid operands remain. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Whether every word of the content is an operator after its operands. */
bool content_sound(const char *data, size_t n);

/* Appends the cleaned content to `out`; damaged inline images are removed. What is drawn after the
 * first damage must be similar to what precedes it (recovery/mend/path_check.h). `alone`: the
 * stream is the whole content of its page or form, so that operators that come in pairs are
 * balanced, and paths begin as they should. False when out of memory. */
bool content_mend(const char *data, size_t n, bool alone, struct buf *out);
