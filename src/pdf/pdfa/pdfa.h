/*
 * pdfa: makes documents conform to PDF/A-2 (ISO 19005-2:2011), level B or U. What is checked, or
 * set, is all that the standard says of what is accepted: of scans, pictures, paths, links and the
 * text layers of pdf/text_layer; of documents that Chromium has printed also embedded fonts,
 * patterns, shadings, tags and the outline. What else a document has is refused or left out, so
 * that no document claims what was not looked at.
 */
#pragma once

#include "base/buf.h"
#include "pdf/document/doc.h"

struct pdfa_kind {
    bool printed;       /* what Chromium writes is accepted, too */
    bool unicode;       /* level U, not B: each glyph of text is known as a character */
    const char *field;  /* the parameter that asked for it */
    const char *advice; /* what can be done about a refusal: the end of a sentence */
};

/*
 * Changes the document, which is then to be saved as `archive` and without encryption
 * (struct pdf_save). `left` gets the names of parts of it that were left out, divided by ", ".
 * ERR_UNSUPPORTED_CONTENT, with the page and what is the matter.
 */
int pdfa_make(struct pdf_doc *doc, const struct pdfa_kind *kind, struct buf *left, struct err *err);
/* Whether a saved document is as pdfa_make leaves it: 0, or ERR_INTERNAL. */
int pdfa_verify(const char *path, const struct pdfa_kind *kind, struct err *err);
