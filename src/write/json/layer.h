/*
 * layer: the text of pages for a viewer that lays it over their pictures: lines of words with their
 * boxes, the links, and whether the page is a scan, which has text only in its picture; a file of
 * JSON for each page. The outline is another such file.
 */
#pragma once

#include "layout/page/writer.h"

struct layer {
    /* Opens the file of the next page, and takes it over when it is written: a path, or NULL. */
    const char *(*begin)(void *hand);
    int (*end)(void *hand, size_t page, struct err *err);
    void *hand;
    const char
        *outline_path; /* of an existing file to which only the outline is written; or NULL */

    /* Private to layer.c. */
    const struct document_facts *facts;
};

/* A writer that calls the functions above; it borrows `layer`. */
struct writer layer_writer(struct layer *layer);
