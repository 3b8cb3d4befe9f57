/* apply: puts what becomes of each stream into the document itself, for qpdf to write: where the
 * result is to be encrypted, or must not have object streams. */
#pragma once

#include "compress/pack.h"

/* Every stream is replaced in memory, where all of them stay until the document is written. */
int apply_all(struct pdf_doc *doc, struct inventory *objects, pack_make *make, void *cls,
              struct err *err);
