#include "recovery/salvage/repair_streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/inflate_repair/zstream.h"
#include "recovery/mend/cmap_mend.h"
#include "recovery/mend/content_mend.h"
#include "recovery/mend/dict_mend.h"
#include "recovery/mend/image_fax.h"
#include "recovery/mend/image_jpx.h"
#include "recovery/mend/image_mend.h"
#include "recovery/mend/image_rows.h"
#include "recovery/objects/restore.h"
#include "recovery/objects/stream.h"
#include "syntax/inflate/inflate.h"

#define UNPACKED_MAX (256U << 20)

enum role { ROLE_NONE, ROLE_CONTENT, ROLE_PART_OF_CONTENT, ROLE_FONT, ROLE_CMAP };

struct marks {
    const struct objects *objects;
    unsigned char *roles; /* by number */
    enum role role;
};

static bool mark_reference(void *arg, struct text value)
{
    struct marks *marks = arg;
    uint32_t number = text_ref(value);

    if (number < marks->objects->numbers)
        marks->roles[number] = (unsigned char) marks->role;
    return true;
}

static void mark_ref(struct marks *marks, struct text dict, const char *key, enum role role)
{
    marks->role = role;
    mark_reference(marks, dict_find(dict, key));
}

static void mark_roles(struct marks *marks, const struct pages *pages)
{
    const struct objects *objects = marks->objects;

    for (size_t i = 0; i < pages->n; i++) {
        const struct object *page = objects_find(objects, pages->numbers[i]);
        struct text contents =
            page ? dict_find(objects_text(objects, page), "/Contents") : (struct text){ 0 };
        struct text list = objects_resolve(objects, contents);

        marks->role = dict_array_size(list) > 1 ? ROLE_PART_OF_CONTENT : ROLE_CONTENT;
        mark_reference(marks, contents);
        dict_walk_array(list, mark_reference, marks);
    }
    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];
        struct text dict = objects_text(objects, object);

        if (object->dead)
            continue;
        if (object->is_stream && dict_name_is(dict, "/Subtype", "/Form"))
            marks->roles[object->number] = ROLE_CONTENT;
        mark_ref(marks, dict, "/ToUnicode", ROLE_CMAP);
        mark_ref(marks, dict, "/FontFile", ROLE_FONT);
        mark_ref(marks, dict, "/FontFile3", ROLE_FONT);
    }
}

static bool replace_data(struct object *object, struct buf *data)
{
    object->mended_n = data->len;
    object->mended = (unsigned char *) buf_take(data);
    return object->mended != NULL;
}

/* The recovered data, cleaned by its kind, and compressed again with its predictor bytes. */
static bool repack(struct object *object, struct buf *plain, enum role role)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    AUTO_BUF struct buf clean = BUF_EMPTY;
    const struct buf *kept = plain;

    if (role == ROLE_CONTENT || role == ROLE_PART_OF_CONTENT) {
        if (!content_mend(plain->data, plain->len, role == ROLE_CONTENT, &clean))
            return false;
        kept = &clean;
    } else if (role == ROLE_CMAP) {
        if (!cmap_mend(plain->data, plain->len, &clean))
            return false;
        kept = &clean;
    }
    return zstream_pack(kept->data, kept->len, &packed) && replace_data(object, &packed);
}

/* Programs that end their data by a flush write neither the mark of the last block nor the
 * checksum: nothing is missing then but these. */
static bool mark_end(struct objects *objects, struct object *object, size_t max)
{
    AUTO_BUF struct buf plain = BUF_EMPTY;
    AUTO_BUF struct buf packed = BUF_EMPTY;

    if (!inflate_unmarked(objects->file + object->data, object->data_n, max, &plain))
        return false;
    objects->unpacked += plain.len;
    return zstream_pack(plain.data, plain.len, &packed) && replace_data(object, &packed);
}

static bool mend_flate(struct objects *objects, struct object *object, enum role role,
                       struct mended *mended)
{
    AUTO_BUF struct buf plain = BUF_EMPTY;
    const unsigned char *data = objects->file + object->data;
    struct text dict = objects_text(objects, object);
    size_t size = 0, max = OBJECTS_BYTES - objects->unpacked;
    struct zstream_scars scars;
    bool sound;

    if (max > UNPACKED_MAX)
        max = UNPACKED_MAX;
    if (object->data_n == 0 || max == 0 || !objects_may_check(objects))
        return true;
    sound = zstream_sound(data, object->data_n, UNPACKED_MAX, &size);
    objects->checked += size;
    if (sound || size > UNPACKED_MAX) /* a bomb, and perhaps no damage */
        return true;
    mended->streams++;
    if (object->whole && mark_end(objects, object, max)) {
        mended->restored++;
        return true;
    }
    switch (restore_stream(objects, object, max, &plain)) {
    case RESTORED_PROVED:
        mended->restored++;
        return replace_data(object, &plain);
    case RESTORED_LIKELY:
        if (stream_is_plain(objects, dict) && !image_rows_may_be(objects, dict, plain.len)) {
            buf_free(&plain);
            break;
        }
        object->damaged = true;
        objects->unpacked += plain.len;
        return repack(object, &plain, stream_is_plain(objects, dict) ? role : ROLE_NONE);
    case RESTORED_NOT:
        break;
    }
    object->damaged = true;
    scars = zstream_recover(data, object->data_n, max, NULL, &plain);
    mended->scars += scars.n + 1;
    objects->unpacked += plain.len;
    /* A damaged TrueType or CFF program is useless: without it readers substitute a font. */
    object->unusable = role == ROLE_FONT;
    if (stream_is_plain(objects, dict) &&
        !image_rows_mend(objects, dict, data, object->data_n, max, &scars, &plain))
        return false;
    return repack(object, &plain, stream_is_plain(objects, dict) ? role : ROLE_NONE);
}

/* Content without a filter, whose end was cut off or whose bytes are damaged. */
static bool mend_plain(struct objects *objects, struct object *object, enum role role,
                       struct mended *mended)
{
    AUTO_BUF struct buf clean = BUF_EMPTY;
    const char *data = (const char *) objects->file + object->data;

    /* Operators may be cut between the parts of a content: only their end tells of damage. */
    if (object->whole && (role == ROLE_PART_OF_CONTENT || content_sound(data, object->data_n)))
        return true;
    if (!content_mend(data, object->data_n, role == ROLE_CONTENT, &clean))
        return false;
    mended->streams++;
    object->damaged = true;
    return clean.len == 0 || replace_data(object, &clean);
}

static bool mend_stream(struct objects *objects, struct object *object, enum role role,
                        struct mended *mended)
{
    struct text filter = stream_filter(objects, objects_text(objects, object));

    if (text_is(filter, "/FlateDecode"))
        return mend_flate(objects, object, role, mended);
    if (!filter.at && (role == ROLE_CONTENT || role == ROLE_PART_OF_CONTENT))
        return mend_plain(objects, object, role, mended);
    return image_fax_mend(objects, object, &mended->streams) &&
           image_jpx_mend(objects, object, &mended->streams) &&
           image_mend(objects, object, &mended->streams);
}

int repair_streams(struct objects *objects, const struct pages *pages, struct mended *mended,
                   struct err *err)
{
    AUTO_FREE unsigned char *roles = calloc(objects->numbers + 1, 1);
    struct marks marks = { objects, roles, ROLE_NONE };

    if (!roles)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    mark_roles(&marks, pages);
    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];

        if (object->dead)
            continue;
        if (!dict_mend(objects, object) ||
            (object->is_stream &&
             !mend_stream(objects, object, (enum role) roles[object->number], mended)))
            return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    }
    return 0;
}
