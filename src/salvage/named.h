/* named: the resources that a content stream names (ISO 32000-1, 7.8.3), read without trust in its
 * syntax. */
#pragma once

#include "base/buf.h"
#include "salvage/dict.h"

#define NAMED_BYTES                                                                                \
    60 /* of a name, its solidus and a NUL behind it: longer ones are passed over                  \
        */

/* Appends the names before an operator (" Tf"), as in "/F1 12 Tf" with one operand between and
 * "/Im1 Do" with none, each once and with a blank behind it. Colour spaces of no document's own are
 * not among them. */
void named_list(const struct buf *content, const char *operator_, int operands, struct buf *names);
/* How many numbers stand before the first colour that is set in this colour space, 0: none is. */
int named_components(const struct buf *content, struct text name);
