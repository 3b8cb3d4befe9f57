/*
 * tags: the structure tree of a tagged PDF (ISO 32000-1, 14.7): which marked content of which page
 * belongs to which paragraph, heading, label or cell.
 */
#pragma once

#include "page/sheet.h"
#include "render/document.h"

struct tags {
    struct sheet_tag *items; /* in the order of the tree; the first stands for none */
    size_t n, cap;
    struct tag_mark { /* sorted */
        int page;     /* object number */
        int mcid;
        uint32_t tag;
    } * marks;
    size_t n_marks, cap_marks;
};

/* Empty if the document is not tagged, or its tree cannot be read. */
void tags_open(struct tags *tags, struct document *doc);
void tags_close(struct tags *tags);
/* The tag of a page's marked content; 0: none. */
uint32_t tags_find(const struct tags *tags, int page, int mcid);
