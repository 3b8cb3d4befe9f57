/* resource_names: finds the names of resources that a content stream uses (ISO 32000-1, 7.8.3).
 * The stream need not have correct syntax. */
#pragma once

#include "base/buf.h"
#include "syntax/pdf/dict.h"

/* Room for a name with its solidus and a NUL; longer names are passed over. */
#define NAMED_BYTES 60

/* Appends to `names` each name that is used with an operator (" Tf"), once and followed by a blank.
 * `operands`: the number of operands between name and operator, 1 in "/F1 12 Tf" and 0 in
 * "/Im1 Do". Names of device colour spaces are omitted. */
void resource_names_list(const struct buf *content, const char *operator_, int operands,
                         struct buf *names);
/* The number of operands of the first operator that sets a colour in this colour space; 0 if
 * there is none. */
int resource_names_components(const struct buf *content, struct text name);
