/*
 * tags: the structure tree of a tagged PDF (ISO 32000-1, 14.7): which marked content of which page
 * belongs to which paragraph, heading, label or cell.
 */
#pragma once

#include "mupdf/mupdf_document.h"
#include "page/sheet.h"

struct struct_tree {
    struct sheet_tag *items; /* in the order of the tree; the first stands for none */
    size_t n, cap;
    struct struct_tree_mark { /* sorted */
        int page;             /* object number */
        int mcid;
        uint32_t tag;
    } * marks;
    size_t n_marks, cap_marks;
};

/* Empty if the document is not tagged, or its tree cannot be read. */
void struct_tree_open(struct struct_tree *tags, struct mupdf_document *doc);
void struct_tree_close(struct struct_tree *tags);
/* The tag of a page's marked content; 0: none. */
uint32_t struct_tree_find(const struct struct_tree *tags, int page, int mcid);
