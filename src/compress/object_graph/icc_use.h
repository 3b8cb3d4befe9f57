/* icc_use: what the ICC profiles of a document are for. */
#pragma once

#include "compress/object_graph/equal_objects.h"

struct icc_use {
    bool source; /* a profile of colour spaces that readers only convert from */
    bool output; /* a profile that says what device the document is made for (14.11.5) */
};

/*
 * Finds the use of each profile, by node; the caller frees the list. Profiles that transparency
 * groups blend in are converted to as well, and are not sources. NULL when out of memory.
 */
struct icc_use *icc_use_find(const struct equal_objects *equal, struct pdf_doc *doc);
