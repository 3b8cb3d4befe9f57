/*
 * patch_content_size: ends content that decodes to far more than its bytes can stand for, and notes
 * that (guard_cut). Most operators cost a page little, so that only their number shows that a page
 * would be read for seconds: kilobytes of deflate data are gigabytes of "q Q".
 */
#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

#include "engine/mupdf/guard.h"

#define LEAST ((int64_t) 64 << 20) /* bytes: what the content of any page may have */
#define TIMES 100                  /* as many times its encoded bytes, if that is more */

__typeof__(pdf_open_contents_stream) __real_pdf_open_contents_stream,
    __wrap_pdf_open_contents_stream;

struct bounded {
    fz_stream *chain;
    int64_t left;
};

static int next_piece(fz_context *ctx, fz_stream *stream, size_t max)
{
    struct bounded *state = stream->state;
    size_t n = fz_available(ctx, state->chain, max);

    if (n > 0 && state->left < (int64_t) n) {
        guard_cut(ctx);
        return EOF;
    }
    if (n == 0)
        return EOF;
    state->left -= (int64_t) n;
    stream->rp = state->chain->rp;
    stream->wp = stream->rp + n;
    state->chain->rp = stream->wp;
    stream->pos += (int64_t) n;
    return *stream->rp++;
}

static void drop_bounded(fz_context *ctx, void *arg)
{
    struct bounded *state = arg;

    fz_drop_stream(ctx, state->chain);
    fz_free(ctx, state);
}

/* The encoded bytes of a content stream, or of an array of them, as their dictionaries say. */
static int64_t encoded_bytes(fz_context *ctx, pdf_obj *content)
{
    int64_t sum = pdf_dict_get_int(ctx, content, PDF_NAME(Length));
    int n = pdf_array_len(ctx, content);

    for (int i = 0; i < n; i++) {
        int64_t bytes = pdf_dict_get_int(ctx, pdf_array_get(ctx, content, i), PDF_NAME(Length));

        sum += bytes > 0 && bytes < INT32_MAX ? bytes : 0;
    }
    return sum > 0 && sum < INT64_MAX / TIMES ? sum : 0;
}

fz_stream *__wrap_pdf_open_contents_stream(fz_context *ctx, pdf_document *doc, pdf_obj *content)
{
    int64_t bytes = encoded_bytes(ctx, content);
    fz_stream *chain = __real_pdf_open_contents_stream(ctx, doc, content);
    struct bounded *state = fz_malloc_no_throw(ctx, sizeof *state);

    if (!state) {
        fz_drop_stream(ctx, chain);
        fz_throw(ctx, FZ_ERROR_MEMORY, "out of memory");
    }
    *state = (struct bounded){ chain, bytes * TIMES > LEAST ? bytes * TIMES : LEAST };
    return fz_new_stream(ctx, state, next_piece, drop_bounded);
}
