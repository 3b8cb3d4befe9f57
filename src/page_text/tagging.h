/*
 * tagging: runs a page of a tagged PDF into a text device and notes which marked content its
 * characters are of. MuPDF's devices are not told: the operators are listened to.
 */
#pragma once

#include "mupdf/mupdf_document.h"
#include <stdbool.h>

struct tagging {
    const fz_stext_page *text;
    struct tagging_end { /* the last character of what was shown at a time */
        const fz_stext_char *last;
        int mcid;
    } * ends;
    size_t n, cap;
    size_t at; /* for tagging_next */
};

/* Listens to a text device that was just made, and writes to `text`. */
void tagging_watch(struct tagging *tagging, fz_device *device, const fz_stext_page *text);
/* The page's contents, without annotations; throws as fz_run_page does. */
void tagging_run(fz_context *ctx, pdf_page *page, fz_device *device, fz_cookie *cookie);
/* The marked content of the next character, in the order of the page; -1: none. */
int tagging_next(struct tagging *tagging, const fz_stext_char *c);
void tagging_free(struct tagging *tagging);
