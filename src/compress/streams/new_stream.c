#include "compress/streams/new_stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void new_stream_free(struct new_stream *stream)
{
    buf_free(&stream->data);
    for (size_t i = 0; i < stream->n_edits; i++)
        free(stream->edits[i].value);
    *stream = (struct new_stream){ 0 };
}

static void set(struct new_stream *stream, const char *key, char *value)
{
    size_t at = 0;

    while (at < stream->n_edits && strcmp(stream->edits[at].key, key) != 0)
        at++;
    if (at == NEW_STREAM_EDITS) {
        free(value); /* there are fewer keys that anything here edits */
        return;
    }
    if (at == stream->n_edits)
        stream->edits[stream->n_edits++].value = NULL;
    free(stream->edits[at].value);
    stream->edits[at] = (struct compact_edit){ .key = key, .value = value };
}

bool new_stream_set(struct new_stream *stream, const char *key, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vasprintf(&text, fmt, args);
    va_end(args);
    if (n < 0)
        return false;
    set(stream, key, text);
    return true;
}

bool new_stream_copy(const struct new_stream *from, struct new_stream *to)
{
    *to = (struct new_stream){ 0 };
    buf_put(&to->data, from->data.data, from->data.len);
    for (; to->n_edits < from->n_edits; to->n_edits++) {
        const struct compact_edit *edit = &from->edits[to->n_edits];

        to->edits[to->n_edits] = *edit;
        if (edit->value && !(to->edits[to->n_edits].value = strdup(edit->value)))
            return false;
    }
    return !to->data.failed;
}

void new_stream_target(struct new_stream *stream, const char *key, uint32_t target)
{
    for (size_t i = 0; i < stream->n_edits; i++)
        if (strcmp(stream->edits[i].key, key) == 0)
            stream->edits[i].target = target;
}

void new_stream_remove(struct new_stream *stream, const char *key)
{
    set(stream, key, NULL);
}

void new_stream_move(struct new_stream *stream, struct buf *data)
{
    buf_free(&stream->data);
    stream->data = *data;
    *data = BUF_EMPTY;
}

bool new_stream_replace(struct new_stream *stream, struct buf *data, const char *filter)
{
    if (data->failed || !new_stream_set(stream, "/Filter", "%s", filter))
        return false;
    new_stream_remove(stream, "/DecodeParms");
    new_stream_move(stream, data);
    return true;
}
