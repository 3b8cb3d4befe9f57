/*
 * patch_load_image: an image that cannot be read is left out. MuPDF gives up the rest of the page
 * because of it, and what is drawn after it would be lost. Images are decoded as budgeted_image.h
 * says, and what of them cannot be read is noted (damage.h). Also corrects the /Decode of Lab
 * images, if patch_color.c is part of the build (MUPDF_PATCH_COLOR).
 */
#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

#include "engine/mupdf/budgeted_image.h"
#include "engine/mupdf/color.h"
#include "engine/mupdf/damage.h"
#include "engine/mupdf_streams/cut_stream.h"

__typeof__(pdf_load_image) __real_pdf_load_image, __wrap_pdf_load_image;
__typeof__(pdf_load_inline_image) __real_pdf_load_inline_image, __wrap_pdf_load_inline_image;

/* Loads an image as MuPDF does, which keeps it, and has it keep the wrapper instead. */
static fz_image *load(fz_context *ctx, pdf_document *doc, pdf_obj *object)
{
    fz_image *loaded = __real_pdf_load_image(ctx, doc, object);
    pdf_obj *mask = pdf_dict_geta(ctx, object, PDF_NAME(SMask), PDF_NAME(Mask));
    fz_image *image =
        budgeted_image_new(ctx, loaded, pdf_to_num(ctx, object), pdf_to_num(ctx, mask));

    if (image == loaded)
        return image;
    fz_try(ctx)
    {
        pdf_remove_item(ctx, fz_drop_image_imp, object);
        pdf_store_item(ctx, object, image, fz_image_size(ctx, image));
    }
    fz_catch(ctx)
    {
        fz_drop_image(ctx, image);
        fz_rethrow(ctx);
    }
    return image;
}

fz_image *__wrap_pdf_load_image(fz_context *ctx, pdf_document *doc, pdf_obj *object)
{
    int number = pdf_to_num(ctx, object);
    struct damage_place before = damage_enter(ctx, DAMAGE_IMAGE, number);
    struct damage_state *state = damage_state(ctx);
    fz_image *image = NULL;

    if (state)
        state->ended_early = false;
    fz_var(image);
    fz_try(ctx)
    {
        image = load(ctx, doc, object);
        if (MUPDF_PATCH_COLOR)
            color_lab_decode(ctx, image, object);
    }
    fz_always(ctx)
    {
        damage_leave(ctx, before);
    }
    fz_catch(ctx)
    {
        fz_drop_image(ctx, image);
        damage_note(ctx, DAMAGE_IMAGE, number);
        /* The interpreter of a page counts minor errors and continues. */
        if (fz_caught(ctx) == FZ_ERROR_GENERIC)
            fz_throw(ctx, FZ_ERROR_MINOR, "%s", fz_caught_message(ctx));
        fz_rethrow(ctx);
    }
    if (damage_is_known(DAMAGE_IMAGE, number) ||
        (state && state->ended_early && cut_stream_of_colors(ctx, doc, object)))
        damage_note(ctx, DAMAGE_IMAGE, number);
    return image;
}

fz_image *__wrap_pdf_load_inline_image(fz_context *ctx, pdf_document *doc, pdf_obj *resources,
                                       pdf_obj *object, fz_stream *stream)
{
    return budgeted_image_new(
        ctx, __real_pdf_load_inline_image(ctx, doc, resources, object, stream), 0, 0);
}
