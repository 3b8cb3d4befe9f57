/*
 * resources: replaces lost resources that pages name (ISO 32000-1, 7.8.3), so that the rest of the
 * pages is shown: a font that makes the text readable, colours with the same number of components,
 * images that draw nothing. An orphaned font or image is used for a missing one.
 */
#pragma once

#include "recovery/objects/objects.h"
#include "recovery/objects/pages.h"

struct resources {
    struct objects *objects;
    struct err *err;
    uint32_t form;       /* a form XObject that draws nothing, 0: not made yet */
    unsigned char *used; /* by number: something refers to it; NULL: not computed yet; owned */
    size_t n_used;
    size_t searched; /* bytes of contents that were searched for names */
};

void resources_free(struct resources *resources);
#define AUTO_RESOURCES __attribute__((cleanup(resources_free)))

/* Appends a resource dictionary with all resources that the content names. Returns -1 with
 * *resources->err filled, as the next function does. */
int resources_write(struct resources *resources, const struct buf *content, struct buf *out);
/* Gives every page the fonts that its content names, and the other resources as far as the file is
 * known to have lost them, and creates replacements for all missing resources. */
int resources_complete(struct resources *resources, const struct pages *pages);
