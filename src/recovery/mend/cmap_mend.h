/* cmap_mend: repairs a ToUnicode map (ISO 32000-1, 9.10.3) from damaged data: makes a map of the
 * intact entries, and of those between them where they follow one rule. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the repaired map of the n bytes at `data` to `out`. False when out of memory. */
bool cmap_mend(const char *data, size_t n, struct buf *out);
