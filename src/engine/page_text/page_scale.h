/*
 * page_scale: pages larger than Word's largest, such as posters, are read and drawn in that size.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"

/* Sets /UserUnit of the page with this number, counted from 0, in memory, so that neither of its
 * sides is longer than 22 inches; of a page of that size nothing is changed. Returns the length of
 * a point of the page from then on, 1 if nothing was changed. May throw. */
float page_scale_fit(fz_context *ctx, pdf_document *pdf, size_t number);
