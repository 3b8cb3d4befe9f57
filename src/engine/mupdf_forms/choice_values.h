/* choice_values: what choice fields display for their values (ISO 32000-2, table 234). */
#pragma once

#include <mupdf/pdf.h>

/* What an option is displayed as, borrowed; the value itself if the options lack it. Throws. */
pdf_obj *choice_values_displayed(fz_context *ctx, pdf_obj *options, pdf_obj *value);
/* What a widget's field displays for its values: UTF-8 texts that end with a NUL each, and one NUL
 * more. The caller frees it. NULL: there is no memory. Throws, also if a value is not text. */
char *choice_values_read(fz_context *ctx, pdf_obj *widget);
