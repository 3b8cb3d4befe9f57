/* regions: the areas that a client gives (declare/value/region_list.h), as hits. */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_search/hit_list.h"

/* Adds the areas of the list, which may be NULL. ERR_PAGE_OUT_OF_RANGE; ERR_INVALID_PARAMETER for
 * one that is outside its page. */
int regions_find(const char *list, struct mupdf_document *doc, struct hit_list *hits,
                 struct err *err);
