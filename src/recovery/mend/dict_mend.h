/*
 * dict_mend: repairs dictionaries whose damage can be recognised and undone: a filter name with one
 * wrong character, the widths of a standard font, links to lost pages.
 */
#pragma once

#include <stdbool.h>

#include "recovery/objects/objects.h"

/* Repairs the dictionary of an object; does nothing for others. False when out of memory. */
bool dict_mend(struct objects *objects, struct object *object);
