/* apply: replaces the streams of a document in memory by their smaller versions, for qpdf to
 * write: used if the result is to be encrypted, or must not have object streams. */
#pragma once

#include "compress/compress/pack.h"

/* Replaces every stream. All of them stay in memory until the document is written. */
int apply_all(struct pdf_doc *doc, struct inventory *objects, pack_make *make, void *cls,
              struct err *err);
