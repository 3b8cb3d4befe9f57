/*
 * letter_order: the letters of a page in the order in which they stand, whatever the order in which
 * they are drawn: lines of one direction, each followed by the nearest one below; right-to-left
 * text as it is read; letters that are set one below the other, or with wide gaps, as words. Texts
 * that are drawn over each other on one line, such as a shadow and what it is of, follow each
 * other.
 */
#pragma once

#include "engine/page_search/page_letters.h"
#include "engine/page_search/plain_text.h"

struct letter_order {
    uint32_t *codes;
    bool *line;     /* a line begins here */
    uint32_t *from; /* index of the letter; of a space that was added: of the letter after it */
    bool *copy;     /* by letter: it was drawn before, nearly at the same place */
    size_t n, cap;
};

/* Makes the order of the letters in place of what `order` had. False without memory. */
bool letter_order_make(struct letter_order *order, const struct page_letters *letters);
void letter_order_free(struct letter_order *order);
