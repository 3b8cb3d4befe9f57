/*
 * layout: understands a page: finds its tables, columns and paragraphs, and gives it back as what
 * a Word document says of it.
 */
#pragma once

#include "base/err.h"
#include "reflow/furniture.h"

struct layout {
    const struct survey *survey;
    struct numbering *numbering;
    bool exact;       /* nothing needs to flow */
    int first_number; /* of the page that is written first, whose place in the file is: */
    size_t first;
    /* Draws a part of the page, with its text, as one more picture of the sheet; false: it could
     * not. NULL: nothing can be drawn. */
    bool (*draw)(void *hand, struct sheet *sheet, const struct area *area);
    void *hand;
};

/*
 * Everything in *page lives in the arena, and borrows from the sheet. What
 * is new in its header and footer goes to *furniture. A page of which text would be lost becomes
 * paragraphs in the order of the file: page->plain. ERR_LIMIT_EXCEEDED for memory.
 */
int layout_page(const struct layout *layout, struct arena *arena, struct sheet *sheet,
                struct page *page, struct furniture *furniture, struct err *err);
/* The page as paragraphs in the order of the file, whatever else may be made of it. */
int layout_plain(const struct layout *layout, struct arena *arena, struct sheet *sheet,
                 struct page *page, struct err *err);
/* Adds a page to what is known of all. */
int layout_survey(struct survey *survey, struct arena *arena, const struct sheet *sheet,
                  struct err *err);
