/*
 * unrun: run lengths unpacked (ISO 32000-2, 7.4.5), in blocks and not without end. MuPDF asks for
 * each byte behind a setjmp: two bytes of a file that become 128 cost as much as 128, and twenty
 * kilobytes ten seconds.
 *
 * The linker puts it in the place of MuPDF's function (meson.build, --wrap).
 */
#include <mupdf/fitz.h>
#include <stdint.h>
#include <string.h>

#include "render/guard.h"

#define BLOCK       65536
#define LONGEST     128 /* bytes of one run */
#define END_OF_DATA 128

fz_stream *__wrap_fz_open_rld(fz_context *ctx, fz_stream *chain);

struct unrun {
    fz_stream *chain;
    int64_t unpacked;
    int ended;
    unsigned char block[BLOCK];
};

/* Appends a run at `to`, and returns its end. */
static unsigned char *read_run(fz_context *ctx, struct unrun *u, unsigned char *to)
{
    int length = fz_read_byte(ctx, u->chain);

    if (length == EOF || length == END_OF_DATA) {
        u->ended = 1;
    } else if (length < END_OF_DATA) {
        size_t wanted = (size_t) length + 1, got = fz_read(ctx, u->chain, to, wanted);

        u->ended = got < wanted;
        to += got;
    } else {
        int byte = fz_read_byte(ctx, u->chain);

        u->ended = byte == EOF;
        if (byte != EOF)
            memset(to, byte, (size_t) (257 - length));
        to += byte == EOF ? 0 : 257 - length;
    }
    return to;
}

static int next(fz_context *ctx, fz_stream *stream, size_t max)
{
    struct unrun *u = stream->state;
    unsigned char *end = u->block;

    (void) max; /* a hint */
    if (u->unpacked > GUARD_UNPACKED) {
        guard_too_long();
        u->ended = 1;
    }
    while (!u->ended && end <= u->block + BLOCK - LONGEST)
        end = read_run(ctx, u, end);
    stream->rp = u->block;
    stream->wp = end;
    stream->pos += end - u->block;
    u->unpacked += end - u->block;
    return end == u->block ? EOF : *stream->rp++;
}

static void drop(fz_context *ctx, void *state)
{
    struct unrun *u = state;

    fz_drop_stream(ctx, u->chain);
    fz_free(ctx, u);
}

fz_stream *__wrap_fz_open_rld(fz_context *ctx, fz_stream *chain)
{
    struct unrun *u = fz_malloc(ctx, sizeof *u);

    u->chain = fz_keep_stream(ctx, chain);
    u->unpacked = 0;
    u->ended = 0;
    return fz_new_stream(ctx, u, next, drop);
}
