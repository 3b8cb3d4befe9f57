/* repair_streams: replaces the data of damaged streams by data that readers can decode. */
#pragma once

#include <stdbool.h>

#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"

struct mended {
    size_t streams;  /* number of streams that got other data */
    size_t restored; /* those of them that are proved to be restored exactly */
    size_t scars;    /* number of places in them that could not be decoded */
};

/* Checks every used stream. Damaged content streams are also cleaned
 * (recovery/mend/content_mend.h). */
int repair_streams(struct objects *objects, const struct pages *pages, struct mended *mended,
                   struct err *err);
