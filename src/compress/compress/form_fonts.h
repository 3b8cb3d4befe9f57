/*
 * form_fonts: which fonts of a form's default resources (ISO 32000-2, 12.7.3) fields may be set in
 * later: those that a default appearance names. A form of XFA, one with rich text or with scripts
 * may set any.
 */
#pragma once

#include <stdbool.h>

#include "compress/compress/usage.h"
#include "pdf/document/doc.h"

/* Reads the default appearances into usage->form_fonts. False when out of memory. */
bool form_fonts_read(struct usage *usage, struct pdf_doc *doc);
/* Whether a field may be set in the font of this name ("/Name"); true of all as long as nothing was
 * read. */
bool form_fonts_may_set(const struct usage *usage, const char *name);
