/* picture_mend: corrects images whose dictionary gives another size than their JPEG data (ISO
 * 32000-1, 7.4.8), of which some readers show nothing. */
#pragma once

#include <stdbool.h>

#include "salvage/objects.h"

/* Corrects the dictionary of an image whose last filter is DCTDecode, alone or after
 * ASCIIHexDecode; does nothing for others. False when out of memory. */
bool picture_mend(struct objects *objects, struct object *object);
