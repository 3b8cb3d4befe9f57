/*
 * patch_form_values: charges the effort of the appearances that MuPDF makes for widgets without
 * one, as soon as their page is loaded. A widget for which no effort is left gets none.
 */
#include "base/effort.h"
#include "mupdf/form_values.h"

__typeof__(pdf_update_annot) __real_pdf_update_annot, __wrap_pdf_update_annot;

int __wrap_pdf_update_annot(fz_context *ctx, pdf_annot *annot)
{
    double units = form_values_effort(ctx, annot);

    if (form_values_is_drawn(ctx, annot))
        return 0;
    return units > 0 && !effort_spend(units) ? 0 : __real_pdf_update_annot(ctx, annot);
}
