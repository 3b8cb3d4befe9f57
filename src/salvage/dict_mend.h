/*
 * dict_mend: dictionaries in which damage shows by what is known of their kind, and can be undone:
 * the name of a filter with one wrong character, the widths of a font that every reader has, links
 * to pages that are gone.
 */
#pragma once

#include <stdbool.h>

#include "salvage/objects.h"

/* False when out of memory. */
bool dict_mend(struct objects *objects, struct object *object);
