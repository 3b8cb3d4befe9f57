/* content_mend: a content stream (ISO 32000-1, 7.8.2) that came out of damaged data, cleaned: what
 * remains are operators with the operands they take. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* False when out of memory. Inline images that were damaged are left out. */
bool content_mend(const char *data, size_t n, struct buf *out);
