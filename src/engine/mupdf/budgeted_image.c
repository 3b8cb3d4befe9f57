#include "engine/mupdf/budgeted_image.h"

#include <stdbool.h>
#include <string.h>

#include "engine/mupdf/damage.h"
#include "engine/mupdf/image_budget.h"
#include "image/codec/ccitt_gray.h"
#include "image/codec/jpeg_damage.h"

struct wrapper {
    fz_image super;
    fz_image *inner;              /* MuPDF's image, owned */
    fz_compressed_buffer *buffer; /* the inner image's */
    int object;                   /* its number, or 0 */
};

/* Fax-coded images of gray and stencils: decoded and reduced at once. */
static bool is_fax(fz_context *ctx, fz_image *image, const fz_compressed_buffer *buffer,
                   const fz_irect *area, int halvings)
{
    bool plain = image->decode[0] == 0 && image->decode[1] == 1;
    bool turned = image->decode[0] == 1 && image->decode[1] == 0;

    return image->n == 1 && image->bpc == 1 && !image->use_colorkey && (plain || turned) &&
           image->w > 0 && image->h > 0 && buffer->params.u.fax.columns == image->w &&
           !fz_colorspace_is_indexed(ctx, image->colorspace) && halvings >= 0 &&
           halvings <= CCITT_GRAY_HALVINGS && area->x0 >= 0 && area->y0 >= 0 &&
           area->x0 < area->x1 && area->y0 < area->y1 && area->x1 <= image->w &&
           area->y1 <= image->h;
}

static fz_pixmap *read_fax(fz_context *ctx, fz_image *image, const fz_compressed_buffer *buffer,
                           const fz_irect *area, int halvings)
{
    int side = 1 << halvings;
    struct ccitt_gray how = {
        .how = { .k = buffer->params.u.fax.k,
                 .byte_aligned = buffer->params.u.fax.encoded_byte_align },
        .width = (uint32_t) image->w,
        .height = (uint32_t) image->h,
        .x0 = (uint32_t) area->x0,
        .y0 = (uint32_t) area->y0,
        .x1 = (uint32_t) area->x1,
        .y1 = (uint32_t) area->y1,
        .halvings = (unsigned) halvings,
        .black_is_1 = buffer->params.u.fax.black_is_1,
        .inverted = image->imagemask != (image->decode[0] == 1),
    };
    fz_pixmap *pixmap = fz_new_pixmap(
        ctx, image->colorspace, (area->x1 - area->x0 + side - 1) >> halvings,
        (area->y1 - area->y0 + side - 1) >> halvings, NULL, image->colorspace == NULL);
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer->buffer, &data);

    if (!ccitt_gray(data, n, &how, pixmap->samples, (size_t) pixmap->stride)) {
        fz_drop_pixmap(ctx, pixmap);
        return NULL;
    }
    pixmap->flags = (unsigned char) ((pixmap->flags & ~(unsigned) FZ_PIXMAP_FLAG_INTERPOLATE) |
                                     (image->interpolate ? FZ_PIXMAP_FLAG_INTERPOLATE : 0U));
    return pixmap;
}

/* The properties of an image that MuPDF sets after it made it, for the inner image to decode by.
 * Threads that share an image may both write them: the values are the same. */
static void copy_properties(const fz_image *from, fz_image *to)
{
    to->invert_cmyk_jpeg = from->invert_cmyk_jpeg;
    to->use_decode = from->use_decode;
    memcpy(to->decode, from->decode, sizeof to->decode);
}

static fz_pixmap *decode_budgeted(fz_context *ctx, fz_image *image, fz_irect *area, int w, int h,
                                  int *halvings)
{
    const struct wrapper *wrapper = (const struct wrapper *) image;
    const fz_compressed_buffer *buffer = wrapper->buffer;
    fz_irect whole = { 0, 0, image->w, image->h };
    const fz_irect *wanted = area ? area : &whole;
    fz_pixmap *pixmap = NULL;

    if (!image_budget_spend(ctx, image, buffer, area))
        fz_throw(ctx, FZ_ERROR_GENERIC, "an image needs too much work to be decoded");
    if (buffer->params.type == FZ_IMAGE_FAX &&
        is_fax(ctx, image, buffer, wanted, halvings ? *halvings : 0)) {
        pixmap = read_fax(ctx, image, buffer, wanted, halvings ? *halvings : 0);
        if (!pixmap)
            damage_note(ctx, DAMAGE_IMAGE, wrapper->object);
    }
    if (!pixmap) { /* also if the data are damaged: MuPDF shows what can be decoded */
        copy_properties(image, wrapper->inner);
        return wrapper->inner->get_pixmap(ctx, wrapper->inner, area, w, h, halvings);
    }
    if (halvings)
        *halvings = 0;
    return pixmap;
}

/* Decodes the image, and notes if some of it could not be. */
static fz_pixmap *decode(fz_context *ctx, fz_image *image, fz_irect *area, int w, int h,
                         int *halvings)
{
    int object = ((const struct wrapper *) image)->object;
    struct damage_place before = damage_enter(ctx, DAMAGE_IMAGE, object);
    fz_pixmap *pixmap = NULL;

    jpeg_damage_begin();
    fz_var(pixmap);
    fz_try(ctx)
    {
        pixmap = decode_budgeted(ctx, image, area, w, h, halvings);
    }
    fz_always(ctx)
    {
        damage_leave(ctx, before);
    }
    fz_catch(ctx)
    {
        damage_note(ctx, DAMAGE_IMAGE, object);
        fz_rethrow(ctx);
    }
    if (jpeg_damage_found())
        damage_note(ctx, DAMAGE_IMAGE, object);
    return pixmap;
}

static size_t size_of(fz_context *ctx, fz_image *image)
{
    return sizeof(struct wrapper) + fz_image_size(ctx, ((struct wrapper *) image)->inner);
}

static void drop_budgeted(fz_context *ctx, fz_image *image)
{
    fz_drop_image(ctx, ((struct wrapper *) image)->inner);
}

fz_compressed_buffer *budgeted_image_buffer(fz_context *ctx, fz_image *image)
{
    if (image && image->get_pixmap == decode)
        return ((struct wrapper *) image)->buffer;
    return fz_compressed_image_buffer(ctx, image);
}

int budgeted_image_object(const fz_image *image)
{
    return image && image->get_pixmap == decode ? ((const struct wrapper *) image)->object : 0;
}

void budgeted_image_note(fz_context *ctx, const fz_image *image)
{
    int object = budgeted_image_object(image);

    if (damage_is_known(DAMAGE_IMAGE, object))
        damage_note(ctx, DAMAGE_IMAGE, object);
}

/* Wraps an image with compressed data, of which the wrapper becomes the owner; its mask is not
 * changed. */
static fz_image *wrap(fz_context *ctx, fz_image *inner, fz_compressed_buffer *buffer, int object)
{
    fz_image *image =
        fz_new_image_of_size(ctx, inner->w, inner->h, inner->bpc, inner->colorspace, inner->xres,
                             inner->yres, inner->interpolate, inner->imagemask, inner->decode,
                             inner->use_colorkey ? inner->colorkey : NULL, inner->mask,
                             sizeof(struct wrapper), decode, size_of, drop_budgeted);

    ((struct wrapper *) image)->inner = inner;
    ((struct wrapper *) image)->buffer = buffer;
    ((struct wrapper *) image)->object = object;
    copy_properties(inner, image);
    return image;
}

/* Both the image that is drawn and the inner one, which may decode by its mask, get the wrapper of
 * the mask. An image with a wrapper, which other threads may draw, is not written to. */
fz_image *budgeted_image_new(fz_context *ctx, fz_image *inner, int object, int mask_object)
{
    fz_image *image = inner;
    fz_compressed_buffer *buffer = fz_compressed_image_buffer(ctx, inner);
    fz_compressed_buffer *mask = fz_compressed_image_buffer(ctx, inner->mask);

    fz_var(image);
    fz_try(ctx)
    {
        if (mask)
            inner->mask = wrap(ctx, inner->mask, mask, mask_object);
        if (buffer)
            image = wrap(ctx, inner, buffer, object);
    }
    fz_catch(ctx)
    {
        fz_drop_image(ctx, inner);
        fz_rethrow(ctx);
    }
    return image;
}
