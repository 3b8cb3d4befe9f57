/* page_reading: reads a page as often as it takes: in the language that it turns out to be in, and
 * the right way up. */
#pragma once

#include "engine/ocr/recognizer.h"

struct page_reading {
    const char *languages; /* NULL: found */
    const char *hint;      /* a language to try first, when it is to be found; may be NULL */
    bool (*stop)(void);
};

/* The languages in which a page is read first. */
const char *page_reading_first(const struct page_reading *reading);
/* Errors as of recognizer_read. */
int page_reading_read(struct scan *scan, const struct page_reading *reading,
                      struct recognition *out, struct err *err);
