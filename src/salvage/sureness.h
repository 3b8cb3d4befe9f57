/*
 * sureness: how sure it is that a page is as it was: by what was damaged of the objects that it is
 * shown with.
 */
#pragma once

#include "salvage/objects.h"
#include "salvage/pages.h"
#include "salvage/salvage.h"

/* Fills of[number], an enum salvage_sureness, for each page object, 0 to `objects->numbers`. To be
 * called when streams have been mended, and before anything takes the place of what is missing. */
void sureness_find(const struct objects *objects, const struct pages *pages, unsigned char *of);
