#include "recovery/objects/stream.h"

#include <stdlib.h>
#include <string.h>

#include "recovery/inflate_repair/zstream.h"

#define UNPACKED_MAX (128U << 20) /* of one stream */
#define COLUMNS_MAX  (1U << 20)

static struct text first_filter(const struct objects *objects, struct text dict, size_t *n)
{
    struct text filter = objects_key(objects, dict, "/Filter"), first = filter;

    *n = filter.at && !text_is(filter, "null");
    if (!filter.at)
        filter = first = objects_key(objects, dict, "/F");
    if (text_is_array(filter)) {
        *n = dict_array_size(filter);
        first = objects_resolve(objects, dict_array_first(filter));
    }
    return first;
}

struct text stream_filter(const struct objects *objects, struct text dict)
{
    size_t n;
    struct text first = first_filter(objects, dict, &n);

    if (text_is(first, "/Fl"))
        return (struct text){ "/FlateDecode", 12 };
    return n ? first : (struct text){ 0 };
}

bool stream_is_plain(const struct objects *objects, struct text dict)
{
    size_t n;
    struct text first = first_filter(objects, dict, &n);

    return n == 0 || (n == 1 && (text_is(first, "/FlateDecode") || text_is(first, "/Fl")));
}

bool stream_is_fax(const struct objects *objects, struct text dict)
{
    size_t n;
    struct text first = first_filter(objects, dict, &n);

    return n == 1 && (text_is(first, "/CCITTFaxDecode") || text_is(first, "/CCF"));
}

const unsigned char *stream_data(const struct objects *objects, const struct object *object,
                                 size_t *n)
{
    *n = object->mended ? object->mended_n : object->data_n;
    return object->mended ? object->mended : objects->file + object->data;
}

/* Predictors of ten and more (7.4.4.4) for bytes, which is all that structure is packed with. */
static void undo_predictor(struct buf *buf, size_t columns)
{
    unsigned char *data = (unsigned char *) buf->data, *prior = calloc(1, columns);
    size_t rows = buf->len / (columns + 1);

    if (!prior || !data) {
        free(prior);
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        const unsigned char *from = data + row * (columns + 1);
        unsigned char *to = data + row * columns;
        int type = from[0];

        memmove(to, from + 1, columns);
        for (size_t i = 0; i < columns; i++) {
            unsigned left = i ? to[i - 1] : 0, up = prior[i];

            if (type == 1)
                to[i] = (unsigned char) (to[i] + left);
            else if (type == 2)
                to[i] = (unsigned char) (to[i] + up);
            else if (type == 3)
                to[i] = (unsigned char) (to[i] + (left + up) / 2);
        }
        memcpy(prior, to, columns);
    }
    buf->len = rows * columns;
    buf->data[buf->len] = '\0';
    free(prior);
}

bool stream_unpack(struct objects *objects, const struct object *object, struct buf *out)
{
    struct text dict = objects_text(objects, object), params;
    size_t n, max = OBJECTS_BYTES - objects->unpacked, from = out->len;
    const unsigned char *data = stream_data(objects, object, &n);
    uint64_t predictor, columns;

    if (!stream_is_plain(objects, dict) || max == 0 || from != 0)
        return false;
    if (max > UNPACKED_MAX)
        max = UNPACKED_MAX;
    if (!stream_filter(objects, dict).at) {
        buf_put(out, data, n < max ? n : max);
    } else if (!zstream_unpack(data, n, max, out)) {
        buf_free(out);
        zstream_recover(data, n, max, NULL, out);
    }
    objects->unpacked += out->len;
    if (out->failed)
        return false;
    params = objects_key(objects, dict, "/DecodeParms");
    if (text_is_array(params))
        params = objects_resolve(objects, dict_array_first(params));
    if (dict_number(params, "/Predictor", &predictor) && predictor >= 10) {
        if (!dict_number(params, "/Columns", &columns))
            columns = 1;
        if (columns && columns <= COLUMNS_MAX)
            undo_predictor(out, (size_t) columns);
    }
    return true;
}

struct contents {
    struct objects *objects;
    struct buf *out;
};

static bool unpack_one(void *arg, struct text value)
{
    struct contents *contents = arg;
    AUTO_BUF struct buf one = BUF_EMPTY;
    const struct object *object = objects_find(contents->objects, text_ref(value));

    if (object && object->is_stream && stream_unpack(contents->objects, object, &one)) {
        buf_put(contents->out, one.data, one.len);
        buf_putc(contents->out, '\n');
    }
    return true;
}

void stream_contents(struct objects *objects, const struct object *owner, struct buf *out)
{
    struct contents contents = { objects, out };
    struct text list = dict_find(objects_text(objects, owner), "/Contents");

    if (owner->is_stream && stream_unpack(objects, owner, out))
        return;
    unpack_one(&contents, list);
    dict_walk_array(objects_resolve(objects, list), unpack_one, &contents);
}
