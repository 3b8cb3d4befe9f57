/* mend: streams whose data is damaged, given data that readers can use. */
#pragma once

#include <stdbool.h>

#include "salvage/objects.h"
#include "salvage/pages.h"

struct mended {
    size_t streams;  /* given other data */
    size_t restored; /* of these, are proved to be as they were */
    size_t scars;    /* places in them that could not be read */
};

/* Looks at every stream that counts. Content streams that were damaged are also cleaned of what is
 * no operator (salvage/content_mend.h). */
int mend_streams(struct objects *objects, const struct pages *pages, struct mended *mended,
                 struct err *err);
