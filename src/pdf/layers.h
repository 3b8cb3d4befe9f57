/* layers: optional content groups (ISO 32000-2, 8.11) and how they are shown. */
#pragma once

#include "base/err.h"
#include "pdf/obj.h"

/*
 * Gives document `to`, whose pages were copied from `from`, the settings of the layers its pages
 * use, and of those they stand under in the list of layers; others are not mentioned.
 */
int layers_copy(qpdf_data to, qpdf_data from, struct err *err);
