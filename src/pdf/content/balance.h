/*
 * balance: how many q and Q operators to add around a page's content, so that its graphics state
 * (ISO 32000-1, 8.4.2) does not affect what is drawn after it. Real content streams often have too
 * many q, or Q, or end inside a token.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

struct balance {
    size_t before, after; /* number of q to add before the content, and of Q after it */
    /* The content ends inside a string, an array, a dictionary or an inline image, or cannot be
     * decoded to its end: readers would take what follows it for the rest of that. Such content
     * needs an enclosure (pdf/content/enclosure.h). */
    bool open;
};

/* Finds these for the content of a page. ERR_LIMIT_EXCEEDED is the only error: content that cannot
 * be read counts as open. */
int balance_page(struct obj page, struct balance *balance, struct err *err);
/* The same for content in memory. */
void balance_content(const unsigned char *data, size_t n, struct balance *balance);
