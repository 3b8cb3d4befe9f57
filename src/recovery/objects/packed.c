#include "recovery/objects/packed.h"

#include "base/scope.h"
#include "recovery/inflate_repair/zstream.h"
#include "recovery/objects/restore.h"
#include "recovery/objects/stream.h"
#include "syntax/pdf/syntax.h"

#define PACKED_MAX   200000U     /* objects in one stream */
#define PACKED_BYTES (64U << 20) /* that one unpacks to */

/* Reads the object at `at`. What another revision, later in the file, says of the number counts
 * more. */
static int read_packed(struct objects *objects, const struct buf *data, size_t at, uint32_t number,
                       size_t place, struct err *err)
{
    struct syntax s = { (const unsigned char *) data->data, data->len, at, false };
    size_t text = objects->text.len;
    const struct object *there = objects_find(objects, number);
    struct object *added;

    if (at >= data->len || (there && there->whole && there->place > place))
        return 0;
    if (!syntax_read(&s, &objects->text))
        return 0;
    added = objects_add(objects, number, place, text, !s.mended, err);
    if (!added)
        return -1;
    added->from_stream = true;
    return 0;
}

/* An object stream that is damaged, as it was before, if that can be proved: after the damage
 * nothing in it would be where its index says. */
static bool restore(struct objects *objects, struct object *object)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    size_t size = 0;

    if (!stream_is_plain(objects, objects_text(objects, object)) ||
        !stream_filter(objects, objects_text(objects, object)).at ||
        zstream_sound(objects->file + object->data, object->data_n, PACKED_BYTES, &size) ||
        size > PACKED_BYTES ||
        restore_stream(objects, object, PACKED_BYTES, &data) != RESTORED_PROVED)
        return true;
    object->mended_n = data.len;
    object->mended = (unsigned char *) buf_take(&data);
    return object->mended != NULL;
}

static int open_one(struct objects *objects, size_t index, struct err *err)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    struct object *object = &objects->list[index];
    size_t place = object->place;
    uint64_t first, number, offset;
    struct syntax head;

    if (!restore(objects, object))
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    if (!stream_unpack(objects, object, &data))
        return 0;
    if (!dict_number(objects_text(objects, object), "/First", &first) || first > data.len)
        first = data.len; /* offsets are counted from where the numbers end, as it turns out */
    head = (struct syntax){ (const unsigned char *) data.data, (size_t) first, 0, false };
    for (unsigned i = 0; i < PACKED_MAX; i++) {
        syntax_skip_space(&head);
        if (!syntax_unsigned(&head, &number))
            break;
        syntax_skip_space(&head);
        if (!syntax_unsigned(&head, &offset))
            break;
        if (number && number <= SYNTAX_NUMBER &&
            read_packed(objects, &data, (size_t) (first + offset), (uint32_t) number, place, err) <
                0)
            return -1;
    }
    return 0;
}

static void make_trailer(struct objects *objects, const struct object *object)
{
    if (2 * objects->n_trailers == COUNT(objects->trailers))
        return;
    objects->trailers[2 * objects->n_trailers] = object->text;
    objects->trailers[2 * objects->n_trailers + 1] = object->text_n;
    objects->n_trailers++;
}

void packed_trailers(struct objects *objects)
{
    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];

        if (!object->is_stream || object->dead ||
            !dict_name_is(objects_text(objects, object), "/Type", "/XRef"))
            continue;
        make_trailer(objects, object);
        objects_bury(objects, object);
    }
}

int packed_open(struct objects *objects, struct err *err)
{
    size_t n = objects->n;

    for (size_t i = 0; i < n; i++) {
        struct object *object = &objects->list[i];
        struct text dict = objects_text(objects, object);

        if (!object->is_stream ||
            (!dict_name_is(dict, "/Type", "/ObjStm") &&
             (!dict_has(dict, "/First") || !dict_has(dict, "/N") || dict_has(dict, "/Type"))))
            continue;
        if (open_one(objects, i, err) < 0)
            return -1;
        objects_bury(objects, &objects->list[i]);
    }
    return 0;
}
