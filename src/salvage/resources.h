/*
 * resources: what pages name and nobody has any more (ISO 32000-1, 7.8.3), so that the rest of them
 * is shown: a font in which the words can be read, colours of as many components, pictures that
 * draw nothing. Where a font or a picture is there that nothing refers to, it is taken for the one
 * that is missing.
 */
#pragma once

#include "salvage/objects.h"
#include "salvage/pages.h"

struct resources {
    struct objects *objects;
    struct err *err;
    uint32_t form;       /* one that draws nothing, 0: not made yet */
    unsigned char *used; /* by number: something refers to it; NULL: nobody asked yet; owned */
    size_t n_used;
};

void resources_free(struct resources *resources);
#define AUTO_RESOURCES __attribute__((cleanup(resources_free)))

/* Writes a dictionary that has all that the content names. */
int resources_write(struct resources *resources, const struct buf *content, struct buf *out);
/* Gives every page what its content names, as far as the file is known to have lost it, and all
 * that is referred to as a resource and is not there something in its place. */
int resources_complete(struct resources *resources, const struct pages *pages);
