#include "salvage/mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "salvage/content_mend.h"
#include "salvage/flate.h"
#include "salvage/stream.h"
#include "salvage/text_mode.h"

#define UNPACKED_MAX (256U << 20)

struct marks {
    const struct objects *objects;
    unsigned char *content; /* by number */
};

static bool mark(void *cls, struct text value)
{
    struct marks *marks = cls;
    uint32_t number = text_ref(value);

    if (number < marks->objects->numbers)
        marks->content[number] = 1;
    return true;
}

/* Content streams: of pages, and forms. */
static void mark_content(struct marks *marks, const struct pages *pages)
{
    const struct objects *objects = marks->objects;

    for (size_t i = 0; i < pages->n; i++) {
        const struct object *page = objects_find(objects, pages->numbers[i]);
        struct text contents =
            page ? dict_find(object_text(objects, page), "/Contents") : (struct text){ 0 };

        mark(marks, contents);
        array_walk(objects_resolve(objects, contents), mark, marks);
    }
    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];

        if (!object->dead && object->is_stream &&
            dict_name_is(object_text(objects, object), "/Subtype", "/Form"))
            marks->content[object->number] = 1;
    }
}

static bool replace(struct object *object, struct buf *data)
{
    object->mended_n = data->len;
    object->mended = (unsigned char *) buf_take(data);
    return object->mended != NULL;
}

/* Packs what was recovered, with the predictor bytes that were in it. */
static bool repack(struct object *object, struct buf *plain, bool content)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    AUTO_BUF struct buf clean = BUF_EMPTY;

    if (content && !content_mend(plain->data, plain->len, &clean))
        return false;
    return flate_pack(content ? clean.data : plain->data, content ? clean.len : plain->len,
                      &packed) &&
           replace(object, &packed);
}

static bool mend_flate(struct objects *objects, struct object *object, bool content,
                       struct mended *mended)
{
    AUTO_BUF struct buf plain = BUF_EMPTY;
    const unsigned char *data = objects->file + object->data;
    struct text dict = object_text(objects, object);
    size_t size, max = OBJECTS_BYTES - objects->unpacked;

    if (max > UNPACKED_MAX)
        max = UNPACKED_MAX;
    if (object->data_n == 0 || flate_sound(data, object->data_n, UNPACKED_MAX, &size))
        return true;
    mended->streams++;
    if (text_mode_undo(data, object->data_n, objects_key(objects, dict, "/Length"), &plain)) {
        bool done = replace(object, &plain);

        return done;
    }
    buf_free(&plain);
    mended->scars += flate_recover(data, object->data_n, max, &plain) + 1;
    objects->unpacked += plain.len;
    return repack(object, &plain, content && stream_is_plain(objects, dict));
}

/* Content without a filter, whose end was cut off or whose bytes are damaged. */
static bool mend_plain(struct objects *objects, struct object *object, struct mended *mended)
{
    AUTO_BUF struct buf clean = BUF_EMPTY;

    if (object->whole)
        return true;
    if (!content_mend((const char *) objects->file + object->data, object->data_n, &clean))
        return false;
    mended->streams++;
    return clean.len == 0 || replace(object, &clean);
}

int mend_streams(struct objects *objects, const struct pages *pages, struct mended *mended,
                 struct err *err)
{
    AUTO_FREE unsigned char *content = calloc(objects->numbers + 1, 1);
    struct marks marks = { objects, content };

    if (!content)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    mark_content(&marks, pages);
    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];

        struct text filter;
        bool done = true;

        if (object->dead || !object->is_stream)
            continue;
        filter = stream_filter(objects, object_text(objects, object));
        if (text_is(filter, "/FlateDecode"))
            done = mend_flate(objects, object, content[object->number], mended);
        else if (!filter.at && content[object->number])
            done = mend_plain(objects, object, mended);
        if (!done)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    }
    return 0;
}
