/* picture_mend: pictures whose dictionary says another size than their JPEG data (ISO 32000-1,
 * 7.4.8) does: some readers show nothing of them. */
#pragma once

#include <stdbool.h>

#include "salvage/objects.h"

/* Corrects the dictionary of a picture whose last filter is DCTDecode, alone or behind
 * ASCIIHexDecode; leaves everything else alone. False when out of memory. */
bool picture_mend(struct objects *objects, struct object *object);
