/*
 * prune: removes unused entries from resource dictionaries (ISO 32000-2, 7.8.3): many programs let
 * all pages share one dictionary with everything, so that copying one page would copy it all.
 */
#pragma once

#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

struct prune {
    struct idmap seen; /* streams and fonts whose own resources were handled */
};

/*
 * Gives the page, and every form XObject, pattern, Type 3 font and soft mask that it reaches, a
 * resource dictionary of its own with only what its content names; appearances of annotations
 * without a dictionary of their own count as the page's content. If a content stream cannot be
 * read, everything is kept. In memory only; shared dictionaries are not changed. False when out of
 * memory.
 */
bool prune_page(struct prune *prune, struct obj page);
void prune_free(struct prune *prune);
