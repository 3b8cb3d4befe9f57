/* print: a page in Chromium as a PDF. */
#pragma once

#include "engine/browser/page.h"

struct print_options {
    double width, height;            /* of the paper, in points */
    double top, right, bottom, left; /* margins, in points */
    double scale;                    /* 0.1 to 2 */
    bool background, css_size, tagged, outline;
    const char *header, *footer; /* HTML of the headers and footers; NULL: none */
};

/* Writes the PDF to a descriptor. ERR_LIMIT_EXCEEDED for a page that is too high. */
int print_page(struct page *page, const struct print_options *options, int out, struct err *err);
