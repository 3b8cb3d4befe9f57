#include "engine/mupdf_streams/cut_stream.h"

#include "base/scope.h"
#include "syntax/inflate/inflate.h"

#define DECODED_MAX (64U << 20)

static bool is_deflated(fz_context *ctx, pdf_obj *stream)
{
    pdf_obj *filter = pdf_dict_geta(ctx, stream, PDF_NAME(Filter), PDF_NAME(F));

    if (pdf_is_array(ctx, filter))
        filter = pdf_array_get(ctx, filter, 0);
    return pdf_name_eq(ctx, filter, PDF_NAME(FlateDecode)) ||
           pdf_name_eq(ctx, filter, PDF_NAME(Fl));
}

static bool is_cut(fz_context *ctx, pdf_document *doc, pdf_obj *stream)
{
    fz_buffer *raw = NULL;
    unsigned char *data;
    bool cut = false;

    if (!pdf_is_stream(ctx, stream) || !is_deflated(ctx, stream))
        return false;
    fz_var(raw);
    fz_var(cut);
    fz_try(ctx)
    {
        raw = pdf_load_raw_stream_number(ctx, doc, pdf_to_num(ctx, stream));
        size_t n = fz_buffer_storage(ctx, raw, &data);
        cut = inflate_is_cut(data, n, DECODED_MAX);
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, raw);
    }
    fz_catch(ctx)
    {
        fz_rethrow_if(ctx, FZ_ERROR_ABORT);
        return true;
    }
    return cut;
}

bool cut_stream_of_font(fz_context *ctx, pdf_document *doc, pdf_obj *font)
{
    pdf_obj *descendant = pdf_array_get(ctx, pdf_dict_get(ctx, font, PDF_NAME(DescendantFonts)), 0);
    pdf_obj *own = descendant ? descendant : font;
    pdf_obj *descriptor = pdf_dict_get(ctx, own, PDF_NAME(FontDescriptor));
    pdf_obj *parts[] = {
        pdf_dict_get(ctx, font, PDF_NAME(ToUnicode)),
        pdf_dict_get(ctx, font, PDF_NAME(Encoding)),
        pdf_dict_get(ctx, own, PDF_NAME(CIDToGIDMap)),
        pdf_dict_get(ctx, descriptor, PDF_NAME(FontFile)),
        pdf_dict_get(ctx, descriptor, PDF_NAME(FontFile2)),
        pdf_dict_get(ctx, descriptor, PDF_NAME(FontFile3)),
    };

    for (size_t i = 0; i < COUNT(parts); i++)
        if (is_cut(ctx, doc, parts[i]))
            return true;
    return false;
}

bool cut_stream_of_colors(fz_context *ctx, pdf_document *doc, pdf_obj *image)
{
    pdf_obj *space = pdf_dict_geta(ctx, image, PDF_NAME(ColorSpace), PDF_NAME(CS));

    return pdf_is_array(ctx, space) && is_cut(ctx, doc, pdf_array_get(ctx, space, 3));
}
