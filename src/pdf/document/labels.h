/* labels: page labels (ISO 32000-2, 12.4.2), which readers show as page numbers. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/object/obj.h"

struct labels {
    struct label_range {
        size_t page;       /* first page, from 0 */
        long long start;   /* number of that page */
        const char *style; /* "/D", ...; NULL: no number, only the prefix */
        char *prefix;      /* bytes of a text string */
        size_t n_prefix;
    } * items; /* sorted by page */
    size_t n, cap;
};

/* Reads the labels; n is 0 if there are none. ERR_LIMIT_EXCEEDED when out of memory. */
int labels_read(struct labels *labels, qpdf_data q, struct err *err);
void labels_free(struct labels *labels);
#define AUTO_LABELS __attribute__((cleanup(labels_free)))

/* Sets the labels of the pages from range->page on, replacing existing ones; copies the prefix.
 * Pages before them without labels get i, ii, iii, so that no two pages have the same label.
 * ERR_LIMIT_EXCEEDED when out of memory. */
int labels_set(struct labels *labels, const struct label_range *range, struct err *err);

/* Writes to another document the labels of its pages: its page i is page pages[i] of the one
 * read. */
void labels_write(const struct labels *labels, qpdf_data to, const size_t *pages, size_t n_pages);
