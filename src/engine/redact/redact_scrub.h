/* redact_scrub: removes texts from what content streams say without showing it: comments, names of
 * resources and of marked content, the properties of marks, and operands that no operator takes. */
#pragma once

#include "engine/redact/redact_frame.h"

/* Appends the content without these, of which edit->elsewhere says which texts they must not have.
 * Resources whose names change are in f->own under the new ones. False: it stays as it is. */
bool redact_scrub_content(struct redact_frame *f, const unsigned char *data, size_t n,
                          struct buf *out);
/* Appends what content says in that way, and its strings as they are coded, with line feeds between
 * them. */
void redact_scrub_said(struct pdf_doc *doc, const unsigned char *data, size_t n, struct buf *out);
