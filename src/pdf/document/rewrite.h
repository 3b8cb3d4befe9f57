/*
 * rewrite: writes a document that is in qpdf's memory, in one pass: each object is taken as text
 * once, its references get their new numbers there, and it goes into an object stream. qpdf's own
 * writer makes three passes over all objects.
 *
 * Only objects that the trailer leads to are written, a page's objects after the page. Streams are
 * as qpdf writes them: data without a filter is compressed, ASCII and LZW data is compressed
 * instead, metadata has no filter, and all else stays as it is.
 */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"

/*
 * Writes the document, unencrypted, to the file at `path`. `version`: that of the file, if not less
 * than what object streams need. Returns 1 if the document has something that only qpdf's writer
 * writes, or that could not be read: then the file is incomplete.
 */
int rewrite_document(struct pdf_doc *doc, const char *path, const char *version, struct err *err);
