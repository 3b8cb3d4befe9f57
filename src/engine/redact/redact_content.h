/* redact_content: runs the operators of content streams, and edits them. */
#pragma once

#include "engine/redact/redact_frame.h"

/* Runs content; f has its resources and its first state. */
void redact_content_run(struct redact_edit *edit, struct redact_frame *f, const unsigned char *data,
                        size_t n);
void redact_content_drop(struct redact_frame *f);
/* The key of a page or form XObject in the tree of structure parents; -1: none. */
int64_t redact_content_parents(struct obj dict);
/* Edits the content in the stream `form` (a form XObject, a pattern), whose matrix comes before
 * `ctm`. A new stream if something changed, else null. */
struct obj redact_content_form(struct redact_edit *edit, struct obj form, struct obj outer,
                               struct redact_matrix ctm, const struct redact_state *state);
