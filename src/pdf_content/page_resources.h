/*
 * page_resources: something added to the resources of pages (ISO 32000-2, 7.8.3). Dictionaries that
 * are shared, by pages, by forms or by inheritance, stay as they are for all others: pages that
 * share one share one copy of it.
 */
#pragma once

#include "base/err.h"
#include "pdf/key_map.h"
#include "pdf/obj.h"

struct page_resources {
    struct key_map copies; /* of shared dictionaries: their ids to the copies' */
};

#define PAGE_RESOURCES_NAME 48

/*
 * Adds an indirect object to a category ("/XObject") of the page's resources; `name` becomes what
 * the page's content calls it: `wish` ("/Stamp", short), or with a number behind it where that is
 * something else's name. ERR_LIMIT_EXCEEDED when out of memory.
 */
int page_resources_add(struct page_resources *resources, struct obj page, const char *category,
                       const char *wish, struct obj object, char name[static PAGE_RESOURCES_NAME],
                       struct err *err);
void page_resources_free(struct page_resources *resources);
