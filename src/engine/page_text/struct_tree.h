/*
 * struct_tree: the structure tree of a tagged PDF (ISO 32000-1, 14.7): which paragraph, heading,
 * label or cell each marked content of a page belongs to.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "layout/page/page_content.h"

struct struct_tree {
    struct page_tag *items; /* in the order of the tree; the first means "no tag" */
    size_t n, cap;
    struct struct_tree_mark { /* sorted */
        int page;             /* object number of the page */
        int mcid;
        uint32_t tag;
    } * marks;
    size_t n_marks, cap_marks;
};

/* Reads the tree. It is empty if the document is not tagged, or the tree cannot be read. */
void struct_tree_open(struct struct_tree *tags, struct mupdf_document *doc);
void struct_tree_close(struct struct_tree *tags);
/* The tag of a marked content of a page; 0: none. */
uint32_t struct_tree_find(const struct struct_tree *tags, int page, int mcid);
