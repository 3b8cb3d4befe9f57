/* page_mend: repairs the content of pages. */
#pragma once

#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"

/* Removes from /Contents what is not a stream. `wrong`: number of pages where there was something
 * else, and not only nothing. */
int page_mend_contents(struct objects *objects, const struct pages *pages, size_t *wrong,
                       struct err *err);
/*
 * Restores the scan of a page with recognised text: if the content is damaged before the image is
 * drawn, and one image of the page's proportions is drawn nowhere, draws it beneath everything
 * else. To be called after streams were
 * repaired (recovery/salvage/repair_streams.h).
 */
int page_mend_scans(struct objects *objects, const struct pages *pages, struct err *err);
