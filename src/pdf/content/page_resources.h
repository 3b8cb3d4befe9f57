/*
 * page_resources: adds to the resources of pages (ISO 32000-2, 7.8.3). Dictionaries that are
 * shared, with other pages, with forms or by inheritance, are copied first: pages that share one
 * share its copy.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

struct page_resources {
    struct key_map copies; /* from ids of shared dictionaries to those of their copies */
};

#define PAGE_RESOURCES_NAME 48 /* room for the name of a resource with its NUL */

/*
 * Adds an indirect object to a category ("/XObject") of the page's resources. `name` becomes its
 * name in the page's content: `wish` ("/Stamp", short), or with a number appended if that name is
 * used. ERR_LIMIT_EXCEEDED when out of memory.
 */
int page_resources_add(struct page_resources *resources, struct obj page, const char *category,
                       const char *wish, struct obj object, char name[static PAGE_RESOURCES_NAME],
                       struct err *err);
/* A copy of a dictionary of resources and of those directly in it, which belongs to the caller
 * alone. Null when out of memory. */
struct obj page_resources_copy(struct obj resources);
void page_resources_free(struct page_resources *resources);
