/* file_hints: what a damaged file says of itself besides its objects. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "recovery/objects/objects.h"

/* The number of pages that the linearization dictionary states (ISO 32000-1, annex F), unless the
 * file was changed after it was linearized; 0: not known. */
size_t file_hints_pages(const struct objects *objects);
/* Where another document begins in the file, which is not an update of what precedes it; 0:
 * nowhere. */
size_t file_hints_second(const struct objects *objects);
