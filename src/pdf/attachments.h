/* attachments: the files a document carries (ISO 32000-1, 7.11.4), apart from all else of it. */
#pragma once

#include "base/err.h"
#include "pdf/obj.h"

/*
 * What goes into the leaf of a name tree: an array of names and file specifications, in the order
 * of the document's own tree. A specification keeps what describes its file, and nothing that could
 * lead back into the document. The caller's; null on error.
 */
struct obj attachments_collect(qpdf_data q, struct err *err);
