/*
 * form_fonts: which fonts of a form's default resources (ISO 32000-2, 12.7.3) fields may be set in
 * later: those that a default appearance names. A form of XFA, one with rich text or with scripts
 * may set any.
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "pdf/document/doc.h"

struct form_fonts {
    struct buf appearances; /* the default appearances of fields, a line each */
    bool known;             /* they name all fonts in which fields may be set */
};

/* Reads the default appearances. False when out of memory. */
bool form_fonts_read(struct form_fonts *fonts, struct pdf_doc *doc);
void form_fonts_free(struct form_fonts *fonts);
/* Whether a field may be set in the font of this name ("/Name"); true of all as long as nothing was
 * read. */
bool form_fonts_may_set(const struct form_fonts *fonts, const char *name);
