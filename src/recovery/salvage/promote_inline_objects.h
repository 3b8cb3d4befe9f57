/*
 * promote_inline_objects: makes indirect objects of a catalog that is written in the trailer, and
 * of page tree nodes and pages that are written directly in a /Kids array: the other files of this
 * folder do not look for them there.
 */
#pragma once

#include "recovery/objects/objects.h"

/* Makes such objects indirect. To be called when all objects of the file have numbers. Errors:
 * ERR_LIMIT_EXCEEDED. */
int promote_inline_objects(struct objects *objects, struct err *err);
