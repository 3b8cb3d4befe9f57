/* layers: optional content groups (ISO 32000-2, 8.11) and their visibility. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/object/obj.h"

/*
 * Copies the settings of layers to document `to`, whose pages were copied from `from`: of the
 * layers that its pages use, and of their parents in the list of layers.
 */
int layers_copy(qpdf_data to, qpdf_data from, struct err *err);

/*
 * Adds a layer that is visible on screens and on paper; settings of other layers are not changed.
 * `foreground`: it is in front of the content that it belongs to.
 */
struct obj layers_add(qpdf_data q, const char *name, bool foreground);
