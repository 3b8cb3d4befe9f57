/*
 * page_letters: all characters of a page with their places, for a search: also what is invisible,
 * clipped, outside the page, in layers that are off, or in hidden annotations.
 */
#pragma once

#include "engine/page_text/page_reader.h"

struct page_letter {
    uint32_t code; /* Unicode; U+FFFD or a private character if it is not known */
    bool line;     /* the first one of a line */
    /* In the page's default user space: top left, top right, bottom left, bottom right, each an x
     * and a y, as the character stands. */
    float quad[8];
};

struct page_letters {
    struct page_letter *items;
    size_t n, cap;
    size_t n_unknown; /* characters of which the file does not say what they are */
    bool pictures;    /* the page shows pictures */
    bool replaced;    /* some text has a replacement (ActualText) */
    bool damaged;
    float box[4]; /* of the page, in the same space */
};

enum page_letters_what {
    PAGE_LETTERS_REPLACED, /* replacement text (ActualText) in place of what it replaces */
    PAGE_LETTERS_DRAWN,
};

/* Reads the page with this number, counted from 0, in place of what `letters` had, in the order in
 * which it is drawn. What can be read of a damaged page is read. ERR_LIMIT_EXCEEDED. */
int page_letters_read(struct page_reader *reader, size_t number, enum page_letters_what what,
                      struct page_letters *letters, struct err *err);
void page_letters_free(struct page_letters *letters);
