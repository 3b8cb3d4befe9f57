/*
 * painter: draws the text of form fields in any script with the system's fonts: the field_painter
 * (pdf/forms/field_painter.h) of tools that declare .threads (stamp/draw/drawing.h).
 */
#pragma once

#include "pdf/forms/field_painter.h"

/* Makes a painter. ERR_LIMIT_EXCEEDED when out of memory. */
struct field_painter *painter_new(struct err *err);
/* Frees the painter. To be called after every document with its pictures, or with copies of them,
 * was written. */
void painter_free(struct field_painter **painter);
#define AUTO_PAINTER __attribute__((cleanup(painter_free)))
