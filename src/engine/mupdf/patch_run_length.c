/*
 * patch_run_length: decodes RunLengthDecode streams (ISO 32000-2, 7.4.5) in blocks, up to
 * GUARD_UNPACKED bytes. MuPDF sets up an exception handler for each byte, and has no limit: twenty
 * kilobytes of a file that decode to gigabytes cost it ten seconds.
 */
#include <mupdf/fitz.h>
#include <stdint.h>
#include <string.h>

#include "engine/mupdf/guard.h"

#define BLOCK       65536
#define LONGEST     128 /* bytes of one run */
#define END_OF_DATA 128

__typeof__(fz_open_rld) __wrap_fz_open_rld;

struct run_length {
    fz_stream *chain;
    int64_t decoded;
    int ended;
    unsigned char block[BLOCK];
};

/* Appends a run at `to`, and returns its end. */
static unsigned char *read_run(fz_context *ctx, struct run_length *state, unsigned char *to)
{
    int length = fz_read_byte(ctx, state->chain);

    if (length == EOF || length == END_OF_DATA) {
        state->ended = 1;
    } else if (length < END_OF_DATA) {
        size_t wanted = (size_t) length + 1, got = fz_read(ctx, state->chain, to, wanted);

        state->ended = got < wanted;
        to += got;
    } else {
        int byte = fz_read_byte(ctx, state->chain);

        state->ended = byte == EOF;
        if (byte != EOF)
            memset(to, byte, (size_t) (257 - length));
        to += byte == EOF ? 0 : 257 - length;
    }
    return to;
}

static int next_block(fz_context *ctx, fz_stream *stream, size_t max)
{
    struct run_length *state = stream->state;
    unsigned char *end = state->block;

    (void) max; /* a hint */
    if (state->decoded > GUARD_UNPACKED) {
        guard_cut(ctx);
        state->ended = 1;
    }
    while (!state->ended && end <= state->block + BLOCK - LONGEST)
        end = read_run(ctx, state, end);
    stream->rp = state->block;
    stream->wp = end;
    stream->pos += end - state->block;
    state->decoded += end - state->block;
    return end == state->block ? EOF : *stream->rp++;
}

static void drop_run_length(fz_context *ctx, void *arg)
{
    struct run_length *state = arg;

    fz_drop_stream(ctx, state->chain);
    fz_free(ctx, state);
}

fz_stream *__wrap_fz_open_rld(fz_context *ctx, fz_stream *chain)
{
    struct run_length *state = fz_malloc(ctx, sizeof *state);

    state->chain = fz_keep_stream(ctx, chain);
    state->decoded = 0;
    state->ended = 0;
    return fz_new_stream(ctx, state, next_block, drop_run_length);
}
