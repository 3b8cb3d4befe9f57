/* values: form fields whose values have no appearance (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>

/*
 * Gives the widgets of a page that was loaded an appearance from their field's value, in memory:
 * where the form asks for it (NeedAppearances), and where there is none. A widget whose appearance
 * cannot be made stays as it is. Never throws. False: the job has no effort left (base/effort.h)
 * for all of them.
 */
bool values_draw(fz_context *ctx, fz_page *page);
