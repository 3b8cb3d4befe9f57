#include "engine/mupdf/value_look.h"

#include <math.h>

static void put_colour(fz_context *ctx, fz_buffer *out, pdf_obj *colour,
                       const char *const operators[3])
{
    int n = pdf_array_len(ctx, colour);

    for (int i = 0; i < n; i++)
        fz_append_printf(ctx, out, "%g ", fmin(fmax(pdf_array_get_real(ctx, colour, i), 0), 1));
    fz_append_string(ctx, out, operators[n == 1 ? 0 : n == 3 ? 1 : 2]);
}

static bool is_colour(fz_context *ctx, pdf_obj *colour)
{
    int n = pdf_array_len(ctx, colour);

    return n == 1 || n == 3 || n == 4;
}

void value_look_frame(fz_context *ctx, pdf_obj *widget, const struct field_text *text,
                      fz_buffer *out)
{
    static const char *const fill[] = { "g ", "rg ", "k " }, *const stroke[] = { "G ", "RG ",
                                                                                 "K " };
    pdf_obj *back = pdf_dict_getp(ctx, widget, "MK/BG"),
            *edge = pdf_dict_getp(ctx, widget, "MK/BC");

    if (is_colour(ctx, back)) {
        put_colour(ctx, out, back, fill);
        fz_append_printf(ctx, out, "0 0 %g %g re f\n", text->width, text->height);
    }
    if (is_colour(ctx, edge) && text->edge > 0) {
        put_colour(ctx, out, edge, stroke);
        fz_append_printf(ctx, out, "%g w %g %g %g %g re S\n", text->edge, text->edge / 2,
                         text->edge / 2, text->width - text->edge, text->height - text->edge);
    }
}

void value_look_give(fz_context *ctx, pdf_obj *widget, const struct field_text *text,
                     pdf_obj *resources, fz_buffer *content)
{
    static const fz_matrix turns[] = {
        { 1, 0, 0, 1, 0, 0 }, { 0, 1, -1, 0, 0, 0 }, { -1, 0, 0, -1, 0, 0 }, { 0, -1, 1, 0, 0, 0 }
    };
    fz_rect box = { 0, 0, (float) text->width, (float) text->height };
    int turn = pdf_to_int(ctx, pdf_dict_getp(ctx, widget, "MK/R")) / 90 & 3;
    pdf_obj *look = pdf_new_xobject(ctx, pdf_get_bound_document(ctx, widget), box, turns[turn],
                                    resources, content);

    fz_try(ctx)
    {
        pdf_dict_putp(ctx, widget, "AP/N", look);
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, look);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}
