/*
 * page_operations: the value of pages' `operations`: what is done to the pages of a document, one
 * operation after the other, as a JSON list such as [{"op":"crop","margins":36},
 * {"op":"nup","columns":2,"rows":1,"size":"a4"}].
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "declare/value/paper.h"

#define PAGE_OPERATIONS_ITEMS 50    /* limit of the operations of one list */
#define PAGE_OPERATIONS_CHARS 50000 /* limit of the text's length */
#define PAGE_OPERATIONS_FIELD 64    /* room for "operations[12]" */

enum page_operation_kind {
    PAGE_CROP,
    PAGE_RESIZE,
    PAGE_SCALE,
    PAGE_NUP,
    PAGE_BOOKLET,
    PAGE_BLANK,
    PAGE_DELETE,
    PAGE_REORDER,
    PAGE_REVERSE,
    PAGE_DUPLICATE,
    PAGE_POSTER,
    PAGE_SPLIT,
    PAGE_COMPOSE,
};

/* Which members have a meaning depends on `kind`; lengths are in points. */
struct page_operation {
    enum page_operation_kind kind;
    char *pages;       /* a page list (declare/value/page_list.h); NULL: all pages */
    char *after;       /* PAGE_BLANK: a page list, or "0" for before the first page */
    char *source;      /* PAGE_COMPOSE: which pages of the other document; NULL: all */
    bool has_box;      /* `box` is given */
    double box[4];     /* left, top, width, height, from the top left corner of the page as shown */
    bool has_margins;  /* `margins` is given */
    double margins[4]; /* what is cut off: top, right, bottom, left */
    bool automatic;    /* PAGE_CROP: to what is drawn */
    double padding;    /* what is left around that */
    bool has_paper;    /* `paper` is given */
    struct paper paper;
    bool stretch;  /* PAGE_RESIZE: width and height are scaled independently */
    double factor; /* PAGE_SCALE */
    int64_t columns, rows, count;
    double gap, margin, overlap, at;
    bool by_columns; /* PAGE_NUP: the cells are filled column by column */
    bool right_to_left;
    bool every; /* PAGE_SPLIT: pages that are not wider than high, too */
    bool under; /* PAGE_COMPOSE: below the content of the pages */
};

struct page_operations {
    struct page_operation *items;
    size_t n;
};

/* Parses the text; call page_operations_free in any case. ERR_INVALID_PARAMETER or
 * ERR_MISSING_FIELD names the operation and its key as field ("operations[2].columns"): `name` is
 * the name of the parameter. */
int page_operations_read(const char *name, const char *text, struct page_operations *out,
                         struct err *err);
void page_operations_free(struct page_operations *list);
#define AUTO_PAGE_OPERATIONS __attribute__((cleanup(page_operations_free)))
/* Whether an operation of this kind is in the list. */
bool page_operations_have(const struct page_operations *list, enum page_operation_kind kind);
/* Puts the name of operation i in front of an error's message, and names it as the field unless it
 * has one. Returns -1. */
int page_operations_blame(const char *name, size_t i, struct err *err);
