/*
 * balance: how to draw after a page's content so that what it leaves behind (ISO 32000-1, 8.4.2)
 * does not touch it. Content streams in the wild have q too often, or Q.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/obj.h"

struct balance {
    size_t before, after; /* so many q before the content, so many Q after it */
};

/* ERR_LIMIT_EXCEEDED is the only failure: content that cannot be read is taken as balanced. */
int balance_page(struct obj page, struct balance *balance, struct err *err);
/* The same of content that is at hand. */
void balance_content(const unsigned char *data, size_t n, struct balance *balance);
