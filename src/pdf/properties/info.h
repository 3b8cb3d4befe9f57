/* info: everything that a document says of itself and has, as JSON, without drawing it. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/doc.h"

/* Appends the JSON text. `bytes`: the size of the file. Warns on the run of the document about what
 * could not be looked at (`info_cut`). ERR_LIMIT_EXCEEDED. */
int info_write(struct pdf_doc *doc, struct tool_run *run, int64_t bytes, struct buf *out,
               struct err *err);
