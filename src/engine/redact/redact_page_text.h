/* redact_page_text: the text of a page as MuPDF reads it, what annotations show included, with the
 * place of each character. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "engine/mupdf/mupdf_document.h"
#include "pdf/redact/redact_hits.h"

struct redact_page_text {
    struct buf text; /* UTF-8, a line feed after each line */
    struct redact_character {
        size_t at;   /* the offset of its first byte in `text` */
        size_t line; /* from 0 */
        struct redact_quad quad;
    } * items;
    size_t n, cap;
    double box[4]; /* the page's: left, bottom, right, top in default user space */
};

/* Reads the page with this index; `visible`: without text that is not painted (text render mode 3).
 * ERR_CORRUPT_FILE, ERR_LIMIT_EXCEEDED. */
int redact_page_text_read(struct redact_page_text *text, struct mupdf_document *doc, size_t page,
                          bool visible, struct err *err);
void redact_page_text_free(struct redact_page_text *text);
