/* layers: optional content groups (ISO 32000-2, 8.11) and how they are shown. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/obj.h"

/*
 * Gives document `to`, whose pages were copied from `from`, the settings of the layers its pages
 * use, and of those they stand under in the list of layers; others are not mentioned.
 */
int layers_copy(qpdf_data to, qpdf_data from, struct err *err);

/*
 * A new layer that is shown, on screens and on paper; what the document says of others stays.
 * `foreground`: it lies over what it belongs to.
 */
struct obj layers_add(qpdf_data q, const char *name, bool foreground);
