/*
 * prune: takes out of resource dictionaries (ISO 32000-2, 7.8.3) what the content does not name:
 * many programs let all pages share one dictionary with everything, and whoever takes one page
 * would take all.
 */
#pragma once

#include "pdf/idmap.h"
#include "pdf/obj.h"

struct prune {
    struct idmap seen; /* streams and fonts whose own resources are done */
};

/*
 * Gives the page, and every form, pattern, Type 3 font and soft mask that it reaches, a resource
 * dictionary of its own with only what its content names; appearances of annotations that have no
 * dictionary of their own count as the page's content. Where a content stream cannot be read all
 * is kept. In memory only; dictionaries that others share are not touched. False when out of
 * memory.
 */
bool prune_page(struct prune *prune, struct obj page);
void prune_free(struct prune *prune);
