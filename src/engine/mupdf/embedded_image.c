#include "engine/mupdf/embedded_image.h"

#include <stdlib.h>
#include <string.h>

#include "engine/mupdf/budgeted_image.h"
#include "engine/mupdf/engine.h"
#include "image/codec/dct.h"

#define MAX_DEPTH  16 /* limit of nested form XObjects */
#define MAX_ITEMS  10000
#define MAX_FORMS  10000
#define MAX_PIXELS 100000000 /* limit of a picture that has to be decoded */

/* Interprets content and lists pictures: MuPDF calls it for every operator that has a function
 * here. */
struct finder {
    pdf_processor processor; /* must be the first member: MuPDF has a pointer to it */
    struct mupdf_document *doc;
    struct embedded_image_list *list;
    pdf_obj *resources; /* of the content being interpreted */
    int *forms;         /* those that were interpreted: each is only once */
    size_t n_forms;
    int depth;
    fz_cookie cookie;
};

static bool grow_list(struct embedded_image_list *list)
{
    size_t cap = list->cap ? list->cap * 2 : 16;
    struct embedded_image *items;

    if (list->n < list->cap)
        return true;
    items = list->n < MAX_ITEMS ? reallocarray(list->items, cap, sizeof *items) : NULL;
    if (!items)
        return false;
    list->items = items;
    list->cap = cap;
    return true;
}

static void add_image(fz_context *ctx, struct finder *finder, int object, fz_image *image)
{
    struct embedded_image_list *list = finder->list;

    for (size_t i = 0; object > 0 && i < list->n; i++)
        if (list->items[i].object == object)
            return;
    if (!grow_list(list)) {
        list->damaged = true;
        return;
    }
    list->items[list->n++] = (struct embedded_image){ object, fz_keep_image(ctx, image) };
}

static void on_image(fz_context *ctx, pdf_processor *processor, const char *name, fz_image *image)
{
    struct finder *finder = (struct finder *) processor;
    pdf_obj *objects = pdf_dict_get(ctx, finder->resources, PDF_NAME(XObject));

    add_image(ctx, finder, pdf_to_num(ctx, pdf_dict_gets(ctx, objects, name)), image);
}

static void on_inline(fz_context *ctx, pdf_processor *processor, fz_image *image,
                      const char *colorspace)
{
    (void) colorspace;
    add_image(ctx, (struct finder *) processor, 0, image);
}

/* Whether to interpret the form: it was not seen yet, and is not nested too deep. */
static bool is_new(struct finder *finder, int object)
{
    if (finder->depth >= MAX_DEPTH || finder->n_forms == MAX_FORMS)
        return false;
    for (size_t i = 0; object > 0 && i < finder->n_forms; i++)
        if (finder->forms[i] == object)
            return false;
    finder->forms[finder->n_forms++] = object;
    return true;
}

static void on_form(fz_context *ctx, pdf_processor *processor, const char *name, pdf_obj *form,
                    pdf_obj *page_resources)
{
    struct finder *finder = (struct finder *) processor;
    pdf_obj *outer = finder->resources, *own = pdf_xobject_resources(ctx, form);

    (void) name;
    if (!is_new(finder, pdf_to_num(ctx, form)))
        return;
    finder->depth++;
    finder->resources = own ? own : page_resources;
    fz_try(ctx)
    {
        pdf_process_contents(ctx, processor, finder->doc->pdf, finder->resources, form,
                             &finder->cookie);
    }
    fz_always(ctx)
    {
        finder->resources = outer;
        finder->depth--;
    }
    fz_catch(ctx)
    {
        finder->cookie.errors++;
    }
}

/* Does not load the page: MuPDF would make appearances for its annotations. */
static void read_page_images(fz_context *ctx, struct finder *finder, pdf_obj *page)
{
    finder->processor.op_Do_image = on_image;
    finder->processor.op_Do_form = on_form;
    finder->processor.op_BI = on_inline;
    finder->processor.usage = "View";
    finder->resources = pdf_dict_get_inheritable(ctx, page, PDF_NAME(Resources));
    pdf_process_contents(ctx, &finder->processor, finder->doc->pdf, finder->resources,
                         pdf_dict_get(ctx, page, PDF_NAME(Contents)), &finder->cookie);
    pdf_close_processor(ctx, &finder->processor);
}

int embedded_image_find(struct embedded_image_list *list, struct mupdf_document *doc, size_t number,
                        struct err *err)
{
    fz_context *ctx = doc->ctx;
    struct finder *finder = NULL;

    fz_var(finder);
    fz_try(ctx)
    {
        finder = pdf_new_processor(ctx, sizeof *finder);
        finder->doc = doc;
        finder->list = list;
        finder->forms = fz_calloc(ctx, MAX_FORMS, sizeof *finder->forms);
        read_page_images(ctx, finder, pdf_lookup_page_obj(ctx, doc->pdf, (int) number));
    }
    fz_always(ctx)
    {
        if (finder) {
            list->damaged = list->damaged || finder->cookie.errors > 0;
            fz_free(ctx, finder->forms);
            pdf_drop_processor(ctx, &finder->processor);
        }
    }
    fz_catch(ctx)
    {
        list->damaged = true;
    }
    return engine_check_memory(err);
}

void embedded_image_free(struct embedded_image_list *list, struct mupdf_document *doc)
{
    for (size_t i = 0; i < list->n; i++)
        fz_drop_image(doc->ctx, list->items[i].image);
    free(list->items);
    *list = (struct embedded_image_list){ 0 };
}

static void put_buffer(fz_context *ctx, fz_buffer *buffer, struct buf *out)
{
    unsigned char *data = NULL;
    size_t n = fz_buffer_storage(ctx, buffer, &data);

    buf_put(out, data, n);
}

/* Whether the file alone looks as the document shows it. Programs invert a JPEG with four inks,
 * so the PDF must invert it too. */
static bool is_plain(fz_context *ctx, const fz_image *image)
{
    fz_colorspace *space = image->colorspace;

    if (!space)
        return true;
    if (fz_colorspace_is_device_n(ctx, space) || fz_colorspace_is_indexed(ctx, space) ||
        fz_colorspace_is_lab(ctx, space))
        return false;
    if (fz_colorspace_n(ctx, space) == 4)
        return image->use_decode && image->decode[0] > image->decode[1];
    return !image->use_decode;
}

/* Whether ColorTransform agrees with what programs assume without it. */
static bool is_turned_as_meant(const unsigned char *data, size_t n, int transform)
{
    struct dct_info alone, meant;

    return !dct_look(data, n, -1, &alone) || !dct_look(data, n, transform, &meant) ||
           alone.turned == meant.turned;
}

/* Notes whether a JPEG, which is copied as it is, is damaged: decodes it at an eighth of its size.
 */
static void check_jpeg(fz_context *ctx, fz_image *image)
{
    fz_pixmap *pixmap = NULL;
    int halvings = 3;

    fz_var(pixmap);
    fz_try(ctx)
    {
        pixmap = image->get_pixmap(ctx, image, NULL, image->w, image->h, &halvings);
    }
    fz_catch(ctx)
    {
        /* It was noted. */
    }
    fz_drop_pixmap(ctx, pixmap);
}

/* Copies a JPEG. False: it is not one, or the document shows it differently. */
static bool write_jpeg(const struct embedded_image *picture, fz_context *ctx, struct buf *out)
{
    fz_compressed_buffer *held = budgeted_image_buffer(ctx, picture->image);
    unsigned char *data = NULL;
    size_t n;

    if (!held || held->params.type != FZ_IMAGE_JPEG || !is_plain(ctx, picture->image))
        return false;
    /* Programs disagree about JPEGs with four components, and do not know how a PDF changes
     * them. */
    if (picture->shown &&
        (picture->image->mask || picture->image->use_decode ||
         (picture->image->colorspace && fz_colorspace_n(ctx, picture->image->colorspace) > 3)))
        return false;
    n = fz_buffer_storage(ctx, held->buffer, &data);
    if (n < 3 || memcmp(data, "\xff\xd8\xff", 3) != 0 ||
        !is_turned_as_meant(data, n, held->params.u.jpeg.color_transform))
        return false;
    check_jpeg(ctx, picture->image);
    put_buffer(ctx, held->buffer, out);
    return true;
}

static bool is_jpx(fz_context *ctx, pdf_obj *object)
{
    pdf_obj *filter = pdf_dict_geta(ctx, object, PDF_NAME(Filter), PDF_NAME(F));

    if (pdf_is_array(ctx, filter))
        filter = pdf_array_get(ctx, filter, pdf_array_len(ctx, filter) - 1);
    return pdf_name_eq(ctx, filter, PDF_NAME(JPXDecode));
}

/* Copies a JPEG 2000 after undoing its other filters. */
static bool write_jpx(const struct embedded_image *picture, struct mupdf_document *doc,
                      struct buf *out)
{
    static const char box[] = "\0\0\0\x0cjP  ";
    fz_context *ctx = doc->ctx;
    pdf_obj *object = NULL;
    fz_buffer *buffer = NULL;
    bool written = false;

    fz_var(object);
    fz_var(buffer);
    fz_var(written);
    if (picture->object == 0)
        return false;
    fz_try(ctx)
    {
        object = pdf_load_object(ctx, doc->pdf, picture->object);
        if (is_jpx(ctx, object)) {
            buffer = pdf_load_stream_number(ctx, doc->pdf, picture->object);
            put_buffer(ctx, buffer, out);
            written = out->len > sizeof box && !out->failed;
        }
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, buffer);
        pdf_drop_obj(ctx, object);
    }
    fz_catch(ctx)
    {
        written = false;
    }
    return written;
}

/* The mask's value for pixel (x, y) of a picture of another size. */
static uint8_t mask_at(const fz_pixmap *mask, int x, int y, int w, int h)
{
    int64_t mx = (int64_t) x * mask->w / w, my = (int64_t) y * mask->h / h;

    return mask->samples[my * mask->stride + mx * mask->n];
}

/* Copies rows of gray or RGB, with the mask as alpha if there is one. */
static void put_pixels(const fz_pixmap *from, const fz_pixmap *mask, uint8_t *to)
{
    bool stencil = from->n == 1 && from->alpha; /* an image mask, whose set samples are black */
    int colors = stencil ? 1 : from->n - from->alpha;

    for (int y = 0; y < from->h; y++) {
        const uint8_t *p = from->samples + (ptrdiff_t) y * from->stride;

        for (int x = 0; x < from->w; x++, p += from->n) {
            for (int i = 0; i < colors; i++)
                *to++ = stencil ? (uint8_t) (255 - p[i]) : p[i];
            if (mask)
                *to++ = mask_at(mask, x, y, from->w, from->h);
        }
    }
}

/* Decodes the picture to gray or RGB (or an image mask to alpha), and its mask; may throw. */
static void decode_image(fz_context *ctx, fz_image *image, fz_pixmap **pixels, fz_pixmap **mask)
{
    fz_colorspace *space;

    *pixels = fz_get_unscaled_pixmap_from_image(ctx, image);
    space = fz_pixmap_colorspace(ctx, *pixels);
    if (space && space != fz_device_gray(ctx) && space != fz_device_rgb(ctx)) {
        fz_colorspace *wanted =
            fz_colorspace_is_gray(ctx, space) ? fz_device_gray(ctx) : fz_device_rgb(ctx);
        fz_pixmap *converted =
            fz_convert_pixmap(ctx, *pixels, wanted, NULL, NULL, fz_default_color_params, 0);
        fz_drop_pixmap(ctx, *pixels);
        *pixels = converted;
    }
    if (image->mask && (double) image->mask->w * image->mask->h <= MAX_PIXELS)
        *mask = fz_get_unscaled_pixmap_from_image(ctx, image->mask);
}

static int write_png(const fz_pixmap *pixels, const fz_pixmap *mask, struct png_writer *writer,
                     struct buf *out, struct err *err)
{
    int colors = pixels->n == 1 ? 1 : pixels->n - pixels->alpha;
    size_t channels = (size_t) colors + (mask != NULL), row = (size_t) pixels->w * channels;
    uint8_t *samples = malloc(row * (size_t) pixels->h);
    struct pixmap pixmap = { .width = (uint32_t) pixels->w,
                             .height = (uint32_t) pixels->h,
                             .stride = row,
                             .kind = (enum pixmap_kind) channels,
                             .samples = samples };
    int done;

    if (!samples)
        return engine_no_memory(err);
    put_pixels(pixels, mask, samples);
    done = png_writer_write(writer, &pixmap, 0, false, sink_buf(out), err);
    free(samples);
    return done;
}

/* Whether all pixels are the same: what a decoder leaves of a picture that it could not read. */
static bool is_uniform(const fz_pixmap *pixmap)
{
    size_t row = (size_t) pixmap->w * pixmap->n;

    for (int y = 0; y < pixmap->h; y++) {
        const uint8_t *p = pixmap->samples + (ptrdiff_t) y * pixmap->stride;

        if (memcmp(p, pixmap->samples, row) != 0)
            return false;
    }
    return memcmp(pixmap->samples, pixmap->samples + pixmap->n, row - pixmap->n) == 0;
}

static int decode_to_png(const struct embedded_image *picture, struct mupdf_document *doc,
                         struct png_writer *writer, struct buf *out, struct err *err)
{
    fz_context *ctx = doc->ctx;
    const struct damage *damage = &damage_state(ctx)->damage;
    unsigned noted = damage->noted;
    fz_pixmap *pixels = NULL, *mask = NULL;
    int done = 0;

    if (picture->image->w < 1 || picture->image->h < 1 ||
        (double) picture->image->w * picture->image->h > MAX_PIXELS)
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "a picture has more than %d million pixels",
                       MAX_PIXELS / 1000000);
    fz_var(pixels);
    fz_var(mask);
    fz_var(done);
    fz_try(ctx)
    {
        decode_image(ctx, picture->image, &pixels, &mask);
    }
    fz_catch(ctx)
    {
        done = engine_caught(ctx, "a picture", err);
    }
    if (done == 0 && damage->noted > noted && is_uniform(pixels))
        done = err_set(err, ERR_CORRUPT_FILE, "none of its data can be decoded");
    if (done == 0)
        done = write_png(pixels, mask, writer, out, err);
    fz_drop_pixmap(ctx, pixels);
    fz_drop_pixmap(ctx, mask);
    return done;
}

int embedded_image_write(const struct embedded_image *picture, struct mupdf_document *doc,
                         struct png_writer *writer, struct buf *out, const char **extension,
                         struct err *err)
{
    if (write_jpeg(picture, doc->ctx, out)) {
        *extension = "jpg";
    } else if (write_jpx(picture, doc, out)) {
        /* Boxed, or a bare codestream (ISO/IEC 15444-1, annexes I and A). */
        *extension = memcmp(out->data, "\xff\x4f", 2) == 0 ? "j2k" : "jp2";
    } else {
        *extension = "png";
        out->len = 0;
        if (decode_to_png(picture, doc, writer, out, err) < 0)
            return -1;
    }
    return out->failed ? engine_no_memory(err) : 0;
}
