/* sureness: how certain it is that a page is as it was written, by the damage of the objects that
 * it uses. */
#pragma once

#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"
#include "recovery/salvage/salvage.h"

/* Sets of[number], an enum salvage_sureness, for each page, by its object number; `of` has
 * objects->numbers + 1 elements. To be called after streams are repaired, and before missing
 * objects are replaced. */
void sureness_find(const struct objects *objects, const struct pages *pages, unsigned char *of);
