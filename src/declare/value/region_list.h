/* region_list: areas of pages, as a client writes them: "PAGES:x,y,width,height", divided by
 * semicolons or line breaks. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "declare/value/area.h"

#define REGION_LIST_PAGES 200 /* room for the page list of a region, and a NUL */

struct region {
    char pages[REGION_LIST_PAGES]; /* a page list with correct syntax */
    struct area_param area;
};

/* Reads the next region of the value of the field `name`. *at starts at 0. 1: done; 0: there are no
 * more. ERR_INVALID_PARAMETER. */
int region_list_next(const char *name, const char *text, size_t *at, struct region *region,
                     struct err *err);
