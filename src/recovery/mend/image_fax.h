/* image_fax: repairs fax images (recovery/image_repair/fax_mend.h). */
#pragma once

#include <stdbool.h>

#include "recovery/objects/objects.h"

/* Repairs an image whose only filter is CCITTFaxDecode; a repaired one has FlateDecode instead.
 * Does nothing for others. *damaged is raised by one if the data was damaged. False when out of
 * memory.
 */
bool image_fax_mend(struct objects *objects, struct object *object, size_t *damaged);
