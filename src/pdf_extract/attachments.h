/* attachments: the files a document carries (ISO 32000-1, 7.11.4), apart from all else of it. */
#pragma once

#include "base/err.h"
#include "pdf/obj.h"

/*
 * A dictionary with, of these, what there is: /Names, which goes into the leaf of the name tree
 * /EmbeddedFiles, in the order of the document's own, and the catalog's /AF, which refers to the
 * same file specifications. A specification keeps what describes its file, and nothing that could
 * lead back into the document. The caller's; null on error.
 */
struct obj attachments_collect(qpdf_data q, struct err *err);
