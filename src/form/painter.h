/*
 * painter: the text of form fields in any script, with the fonts of the system: the field_painter
 * (pdf_forms/field_painter.h) of tools that declare .threads (draw/drawing.h).
 */
#pragma once

#include "pdf_forms/field_painter.h"

/* ERR_LIMIT_EXCEEDED when out of memory. */
struct field_painter *painter_new(struct err *err);
/* After every document that has its pictures, and those that copied them, was written. */
void painter_free(struct field_painter **painter);
#define AUTO_PAINTER __attribute__((cleanup(painter_free)))
