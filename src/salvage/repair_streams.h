/* repair_streams: gives streams whose data is damaged other data, which readers can decode. */
#pragma once

#include <stdbool.h>

#include "salvage/objects.h"
#include "salvage/pages.h"

struct mended {
    size_t streams;  /* given other data */
    size_t restored; /* of these, are proved to be as they were */
    size_t scars;    /* places in them that could not be decoded */
};

/* Looks at every stream that counts. Content streams that were damaged are also cleaned of what is
 * no operator (salvage/content_mend.h). */
int repair_streams(struct objects *objects, const struct pages *pages, struct mended *mended,
                   struct err *err);
