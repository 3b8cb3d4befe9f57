/* image_mend: repairs JPEG images (recovery/image_repair/jpeg_mend.h), and corrects those whose
 * dictionary gives another size than their data (ISO 32000-1, 7.4.8), of which some readers show
 * nothing. */
#pragma once

#include <stdbool.h>

#include "recovery/objects/objects.h"

/* Repairs an image whose last filter is DCTDecode, and corrects its dictionary, also where the
 * filter is after ASCIIHexDecode; does nothing for others. *damaged is raised by one if the data
 * was damaged. False when out of memory. */
bool image_mend(struct objects *objects, struct object *object, size_t *damaged);
