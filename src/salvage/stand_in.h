/*
 * stand_in: what is needed and nobody has any more: pages for page contents that no page names, and
 * resources (salvage/resources.h).
 */
#pragma once

#include "salvage/objects.h"
#include "salvage/pages.h"

int stand_in(struct objects *objects, struct pages *pages, struct err *err);
