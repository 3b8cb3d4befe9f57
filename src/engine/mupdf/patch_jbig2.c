/*
 * patch_jbig2: decodes JBIG2 images with what Debian's jbig2dec lacks (refinement, contexts of
 * other dictionaries, Huffman codes with refinement) by image/jbig2/read.h. What that cannot
 * decode, and all others, are left to jbig2dec, which is faster, and shows what it can of a damaged
 * image.
 */
#include <mupdf/fitz.h>

#include "image/jbig2/read.h"

#define READ_FIRST 4096

__typeof__(fz_open_jbig2d) __real_fz_open_jbig2d, __wrap_fz_open_jbig2d;

/* The rows of a page as MuPDF has them: white is 1. May throw. */
static fz_stream *open_rows(fz_context *ctx, const struct bitmap *page)
{
    size_t n = page->stride * page->height;
    fz_buffer *rows = fz_new_buffer(ctx, n + 1);
    fz_stream *stream = NULL;

    fz_var(stream);
    fz_try(ctx)
    {
        for (size_t i = 0; i < n; i++)
            page->data[i] = (uint8_t) ~page->data[i];
        fz_append_data(ctx, rows, page->data, n);
        stream = fz_open_buffer(ctx, rows);
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, rows);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return stream;
}

static fz_stream *open_data(fz_context *ctx, fz_buffer *data, fz_jbig2_globals *globals,
                            int embedded)
{
    fz_buffer *shared = fz_jbig2_globals_data(ctx, globals);
    struct bitmap page = { 0 };
    fz_stream *chain = NULL, *stream = NULL;
    unsigned char *p = NULL, *before = NULL;
    size_t n = fz_buffer_storage(ctx, data, &p);
    size_t n_before = shared ? fz_buffer_storage(ctx, shared, &before) : 0;
    bool read = embedded && jbig2_is_rare(before, n_before, p, n) &&
                jbig2_read(before, n_before, p, n, &page);

    fz_var(chain);
    fz_var(stream);
    fz_try(ctx)
    {
        if (read) {
            stream = open_rows(ctx, &page);
        } else {
            chain = fz_open_buffer(ctx, data);
            stream = __real_fz_open_jbig2d(ctx, chain, globals, embedded);
        }
    }
    fz_always(ctx)
    {
        fz_drop_stream(ctx, chain);
        raster_bitmap_free(&page);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return stream;
}

fz_stream *__wrap_fz_open_jbig2d(fz_context *ctx, fz_stream *chain, fz_jbig2_globals *globals,
                                 int embedded)
{
    fz_buffer *data = fz_read_all(ctx, chain, READ_FIRST);
    fz_stream *stream = NULL;

    fz_var(stream);
    fz_try(ctx)
    {
        stream = open_data(ctx, data, globals, embedded);
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, data);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return stream;
}
