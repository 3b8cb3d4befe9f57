/* attachments: collects the embedded files of a document (ISO 32000-1, 7.11.4), separated from
 * everything else in it. */
#pragma once

#include "base/err.h"
#include "pdf/object/obj.h"

/*
 * Returns a dictionary with /Names, which goes into the leaf of the name tree /EmbeddedFiles, in
 * the document's order, and the catalog's /AF, which refers to the same file specifications, as far
 * as they exist. A specification keeps what describes its file, and nothing that could refer to the
 * rest of the document. The caller owns it; null on error.
 */
struct obj attachments_collect(qpdf_data q, struct err *err);
