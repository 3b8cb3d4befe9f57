/*
 * struct_tree: the structure tree of a tagged PDF (ISO 32000-1, 14.7): which paragraph, heading,
 * label or cell each marked content of a page belongs to, and the replacement text and the language
 * that elements have.
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
        uint32_t text;    /* index of the texts, or 0 */
        uint8_t language; /* number of the languages, or 0 */
    } * marks;
    size_t n_marks, cap_marks;
    struct struct_tree_text { /* the first means "none" */
        char *utf8;           /* ActualText, or else E */
        bool expansion;       /* it is E */
        int page;             /* object number of the page of its marked contents */
        size_t n_marks;       /* how many these are; 0: they are on several pages */
    } * texts;
    size_t n_texts, cap_texts;
    struct language_tags languages;
};

/* Reads the tree. It is empty if the document is not tagged, or the tree cannot be read. */
void struct_tree_open(struct struct_tree *tags, struct mupdf_document *doc);
void struct_tree_close(struct struct_tree *tags);
/* The tag of a marked content of a page; 0: none. */
uint32_t struct_tree_find(const struct struct_tree *tags, int page, int mcid);
/* The language that the structure states for a marked content; NULL: none. */
const char *struct_tree_find_language(const struct struct_tree *tags, int page, int mcid);
/* The replacement text of the element of a marked content; NULL: it has none. */
const struct struct_tree_text *struct_tree_find_text(const struct struct_tree *tags, int page,
                                                     int mcid);
