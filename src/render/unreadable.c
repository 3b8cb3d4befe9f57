/*
 * unreadable: a picture that nothing can read is one that is not there. MuPDF gives up the rest of
 * the page with it, and what is drawn after it would be lost.
 *
 * The linker puts it in the place of MuPDF's function (meson.build, --wrap).
 */
#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

#include "render/lab.h"

fz_image *__real_pdf_load_image(fz_context *ctx, pdf_document *doc, pdf_obj *object);
fz_image *__wrap_pdf_load_image(fz_context *ctx, pdf_document *doc, pdf_obj *object);

fz_image *__wrap_pdf_load_image(fz_context *ctx, pdf_document *doc, pdf_obj *object)
{
    fz_image *image = NULL;

    fz_var(image);
    fz_try(ctx)
    {
        image = __real_pdf_load_image(ctx, doc, object);
        lab_decode(ctx, image, object);
    }
    fz_catch(ctx)
    {
        fz_drop_image(ctx, image);
        /* The reader of a page counts these, and goes on. */
        if (fz_caught(ctx) == FZ_ERROR_GENERIC)
            fz_throw(ctx, FZ_ERROR_MINOR, "%s", fz_caught_message(ctx));
        fz_rethrow(ctx);
    }
    return image;
}
