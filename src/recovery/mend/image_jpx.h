/* image_jpx: makes JPEG 2000 images readable again that lost bytes. */
#pragma once

#include "recovery/objects/objects.h"

/* Replaces the data of an object that is such an image, if it is damaged; *damaged is then
 * raised by one. False when out of memory. */
bool image_jpx_mend(struct objects *objects, struct object *object, size_t *damaged);
