/*
 * page_moves: where the content of pages has gone, as one document is rearranged: to which pages,
 * and by which matrices. Everything in the document that names a place on these pages follows:
 * annotations, destinations (ISO 32000-2, 12.3.2), tags (14.7), article beads (12.4.3).
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"
#include "pdf/pages/annot_move.h"

struct page_move {
    int64_t from, to; /* ids of pages; may be the same */
    int64_t form;     /* id of the form XObject that has the content now; 0: the page itself */
    double matrix[6]; /* from the coordinates of `from` to those of `to` */
    double window[4]; /* what of `from` is seen on `to`: left, bottom, right, top */
    bool alone;       /* `to` shows nothing else */
};

struct page_moves {
    struct page_move *items; /* those of one page follow each other */
    size_t n, cap;
    struct idmap index; /* from ids of pages to their first item */
    struct annot_mover mover;
};

/* Adds a move. The first one of a page is where its tags go. */
int page_moves_add(struct page_moves *moves, const struct page_move *move, struct err *err);
void page_moves_free(struct page_moves *moves);
#define AUTO_PAGE_MOVES __attribute__((cleanup(page_moves_free)))

/* Moves the annotations of all pages, then corrects the whole document. */
int page_moves_apply(struct page_moves *moves, qpdf_data q, struct err *err);
