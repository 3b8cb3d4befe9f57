/* page_mend: repairs the content of pages. */
#pragma once

#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"

/* Removes from /Contents what is not a stream. */
int page_mend_contents(struct objects *objects, const struct pages *pages, struct err *err);
/*
 * Draws a scanned image below the rest of its page again, if it has the page's proportions and was
 * drawn after damage in the content (recognised text precedes it). To be called after streams were
 * repaired (recovery/salvage/repair_streams.h).
 */
int page_mend_scans(struct objects *objects, const struct pages *pages, struct err *err);
