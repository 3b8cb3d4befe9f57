/*
 * placeholders: creates missing objects: pages for content streams that no page refers to, and
 * resources that are referred to but missing (recovery/salvage/resources.h).
 */
#pragma once

#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"

/* Adds the created pages to `pages` and all created objects to `objects`. Errors:
 * ERR_LIMIT_EXCEEDED. */
int placeholders_add(struct objects *objects, struct pages *pages, struct err *err);
