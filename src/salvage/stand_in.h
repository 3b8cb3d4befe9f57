/*
 * stand_in: what pages need and nobody has any more: pages for page contents that no page names,
 * resources for pages that lost theirs, a font for every font that is gone, so that the words can
 * be read.
 */
#pragma once

#include "salvage/objects.h"
#include "salvage/pages.h"

int stand_in(struct objects *objects, struct pages *pages, struct err *err);
