/* cmap_mend: a ToUnicode map (ISO 32000-1, 9.10.3) that came out of damaged data: the entries that
 * are whole, in a map of its own, and where they follow one rule those between them too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* False when out of memory. */
bool cmap_mend(const char *data, size_t n, struct buf *out);
