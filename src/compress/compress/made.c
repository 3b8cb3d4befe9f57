#include "compress/compress/made.h"

#include <stdlib.h>

#define MOST_BYTES (48UL << 20) /* of all streams that are remembered */

struct made_stream {
    struct new_stream stream;
    struct made_how how;
    bool known;
};

static bool is_equal(const struct made_how *a, const struct made_how *b)
{
    return a->profile == b->profile && a->kept == b->kept && a->keep_all == b->keep_all &&
           a->screens == b->screens;
}

static void forget_stream(struct made *made, struct made_stream *known)
{
    made->bytes -= known->stream.data.len;
    new_stream_free(&known->stream);
    known->known = false;
}

bool made_find(const struct made *made, size_t i, const struct made_how *how,
               struct new_stream *out)
{
    const struct made_stream *known = made->list ? &made->list[i] : NULL;

    if (!known || !known->known || !is_equal(&known->how, how))
        return false;
    if (new_stream_copy(&known->stream, out))
        return true;
    new_stream_free(out);
    return false;
}

void made_keep(struct made *made, size_t n, size_t i, const struct made_how *how,
               const struct new_stream *stream)
{
    struct made_stream *known;

    if (!made->list && (made->list = calloc(n, sizeof *made->list)))
        made->n = n;
    if (!made->list)
        return;
    known = &made->list[i];
    if (known->known)
        forget_stream(made, known);
    if (made->bytes + stream->data.len > MOST_BYTES)
        return;
    known->how = *how;
    known->known = new_stream_copy(stream, &known->stream);
    made->bytes += known->stream.data.len;
    if (!known->known)
        forget_stream(made, known);
}

void made_free(struct made *made)
{
    for (size_t i = 0; i < made->n; i++)
        new_stream_free(&made->list[i].stream);
    free(made->list);
    *made = (struct made){ 0 };
}
