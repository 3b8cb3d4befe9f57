/*
 * tagging: runs a page of a tagged PDF into a text device and records the marked content of each
 * character. MuPDF does not pass marked content to devices, so the interpreter's operators are
 * intercepted.
 */
#pragma once

#include "mupdf/mupdf_document.h"
#include <stdbool.h>

struct tagging {
    const fz_stext_page *text;
    struct tagging_end { /* the last character of one text operator */
        const fz_stext_char *last;
        int mcid;
    } * ends;
    size_t n, cap;
    size_t at; /* position of tagging_next */
};

/* Intercepts a text device that was just made and writes to `text`. */
void tagging_watch(struct tagging *tagging, fz_device *device, const fz_stext_page *text);
/* Runs the page's contents without annotations; throws as fz_run_page does. */
void tagging_run(fz_context *ctx, pdf_page *page, fz_device *device, fz_cookie *cookie);
/* The marked content of the next character in the page's order; -1: none. */
int tagging_next(struct tagging *tagging, const fz_stext_char *c);
void tagging_free(struct tagging *tagging);
