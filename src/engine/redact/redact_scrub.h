/* redact_scrub: removes texts from what content streams say without showing it: comments, the
 * operands of operators that no reader knows, and the properties of marks. */
#pragma once

#include "engine/redact/redact_frame.h"

/* Blanks comments that have one of edit->elsewhere. Whether there was one. */
bool redact_scrub_comments(const struct redact_edit *edit, unsigned char *data, size_t n);
/* Drops the operator that was read if it shows nothing and has such a text. False: it did not. */
bool redact_scrub_operator(struct redact_frame *f, const char *op);
/* Whether an operand from the one with index `from` on has such a text. */
bool redact_scrub_has(const struct redact_frame *f, size_t from);
/* Removes from a property list what has such a text. Whether there was something. */
bool redact_scrub_properties(const struct redact_edit *edit, struct obj list);
