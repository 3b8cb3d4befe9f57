/*
 * forget: takes out of fonts what content does not show any more: the outlines of glyphs in their
 * programs, the entries of their maps to Unicode (ISO 32000-2, 9.10.3), and of simple fonts the
 * names and widths of glyphs (9.6.5) and the procedures of Type 3.
 */
#pragma once

#include "base/err.h"
#include "compress/usage/form_fonts.h"
#include "compress/usage/usage.h"
#include "pdf/document/doc.h"

/* For the fonts with these ids. A program or map of which more may be needed stays as it is, as
 * does one of Type 1. *changed is the number of programs and maps that became shorter.
 * ERR_LIMIT_EXCEEDED. */
int forget_unshown(struct pdf_doc *doc, const struct usage *usage,
                   const struct form_fonts *form_fonts, const int64_t *fonts, size_t n,
                   size_t *changed, struct err *err);
