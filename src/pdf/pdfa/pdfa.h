/*
 * pdfa: makes documents of scans conform to PDF/A-2b (ISO 19005-2:2011, level B). Pages may have
 * pictures, paths, links and the text layers of pdf/text_layer: of these everything that the
 * standard says is checked, or set. What else a document has is refused or left out, so that no
 * document claims what was not looked at.
 */
#pragma once

#include "base/buf.h"
#include "pdf/document/doc.h"

/*
 * Changes the document, which is then to be saved as `archive` and without encryption
 * (struct pdf_save). `left` gets the names of parts of it that were left out, divided by ", ".
 * ERR_UNSUPPORTED_CONTENT, with the page and what is the matter.
 */
int pdfa_make(struct pdf_doc *doc, struct buf *left, struct err *err);
/* Whether a saved document is as pdfa_make leaves it: 0, or ERR_INTERNAL. */
int pdfa_verify(const char *path, struct err *err);
