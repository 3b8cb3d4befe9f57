#include "pdf/document/object_stream.h"

#include <string.h>

#include "syntax/inflate/flate.h"

#define UP 2 /* the PNG filter of differences to the row above */

void object_stream_add(struct object_stream *stream, uint32_t number)
{
    buf_printf(&stream->index, "%u %zu ", number, stream->texts.len);
    stream->n++;
}

bool object_stream_pack(struct object_stream *stream, int level, struct buf *dict, struct buf *data)
{
    size_t first = stream->index.len;

    buf_put(&stream->index, buf_text(&stream->texts), stream->texts.len);
    if (stream->texts.failed || stream->index.failed ||
        !flate_pack(buf_text(&stream->index), stream->index.len, level, data))
        return false;
    buf_printf(dict, "/Type/ObjStm/N %zu/First %zu/Filter/FlateDecode", stream->n, first);
    buf_drop(&stream->index, stream->index.len);
    buf_drop(&stream->texts, stream->texts.len);
    stream->n = 0;
    return !dict->failed;
}

void object_stream_free(struct object_stream *stream)
{
    buf_free(&stream->index);
    buf_free(&stream->texts);
}

static uint8_t *put_number(uint8_t *at, uint64_t value, size_t bytes)
{
    while (bytes-- > 0)
        *at++ = (uint8_t) (value >> 8 * bytes);
    return at;
}

void object_stream_rows(const struct object_place *places, size_t n, size_t where_bytes,
                        size_t index_bytes, bool differences, struct buf *out)
{
    const size_t width = 1 + where_bytes + index_bytes;
    uint8_t above[1 + 8 + 2] = { 0 };

    for (size_t i = 0; i < n; i++) {
        uint8_t row[sizeof above] = { places[i].kind };

        put_number(put_number(row + 1, places[i].where, where_bytes), places[i].index, index_bytes);
        if (differences)
            buf_putc(out, UP);
        for (size_t k = 0; k < width; k++)
            buf_putc(out, (char) (differences ? row[k] - above[k] : row[k]));
        memcpy(above, row, sizeof above);
    }
}
