/*
 * balance: how many q and Q operators to add around a page's content, so that its graphics state
 * (ISO 32000-1, 8.4.2) does not affect what is drawn after it. Real content streams often have too
 * many q, or Q.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

struct balance {
    size_t before, after; /* number of q to add before the content, and of Q after it */
};

/* Finds these numbers for the content of a page. ERR_LIMIT_EXCEEDED is the only error: content that
 * cannot be read counts as balanced. */
int balance_page(struct obj page, struct balance *balance, struct err *err);
/* The same for content in memory. */
void balance_content(const unsigned char *data, size_t n, struct balance *balance);
