#include "engine/page_text/page_scale.h"

#include <math.h>

#define MOST  1584.0F       /* points: 22 inches */
#define SLACK 0.5F          /* points: what rounding may add */
#define KEY   "PlatenScale" /* of a page that was changed: what was returned */

float page_scale_fit(fz_context *ctx, pdf_document *pdf, size_t number)
{
    pdf_obj *page = pdf_lookup_page_obj(ctx, pdf, (int) number);
    pdf_obj *unit = pdf_dict_get(ctx, page, PDF_NAME(UserUnit));
    float before = pdf_is_number(ctx, unit) ? pdf_to_real(ctx, unit) : 1;
    fz_rect box;
    fz_matrix ctm;
    float longest;

    if (pdf_dict_gets(ctx, page, KEY))
        return pdf_to_real(ctx, pdf_dict_gets(ctx, page, KEY));
    pdf_page_obj_transform(ctx, page, &box, &ctm);
    box = fz_transform_rect(box, ctm);
    longest = fmaxf(box.x1 - box.x0, box.y1 - box.y0);
    if (!(longest > MOST + SLACK) || !isfinite(longest) || !(before > 0))
        return 1;
    pdf_dict_put_real(ctx, page, PDF_NAME(UserUnit), before * MOST / longest);
    pdf_dict_puts_drop(ctx, page, KEY, pdf_new_real(ctx, MOST / longest));
    return MOST / longest;
}
