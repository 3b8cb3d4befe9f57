/* resource_names: finds the names of resources that a content stream uses (ISO 32000-1, 7.8.3).
 * The stream need not have correct syntax. */
#pragma once

#include "base/buf.h"
#include "pdf_syntax/dict.h"

#define NAMED_BYTES                                                                                \
    60 /* of a name, its solidus and the NUL after it: longer ones are passed over                 \
        */

/* Appends the names before an operator (" Tf"), as in "/F1 12 Tf" with one operand between and
 * "/Im1 Do" with none, each once and followed by a blank. Names of device colour spaces are
 * omitted. */
void resource_names_list(const struct buf *content, const char *operator_, int operands,
                         struct buf *names);
/* The number of operands of the first operator that sets a colour in this colour space; 0 if
 * there is none. */
int resource_names_components(const struct buf *content, struct text name);
