#include "recovery/salvage/unlock.h"

#include <stdlib.h>

#include "recovery/objects/rebuild.h"
#include "recovery/objects/stream.h"
#include "recovery/salvage/skeleton.h"
#include "syntax/pdf/syntax.h"

/* An object's text, and its data if it is a stream, from where the lock has put them. */
static bool unlock_object(struct objects *objects, struct object *object,
                          const struct salvage_lock *lock, struct buf *data)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_BUF struct buf clean = BUF_EMPTY;
    struct syntax s;

    if (!lock->read(lock->arg, object->number, &text, data) || text.failed || data->failed)
        return false;
    s = (struct syntax){ (const unsigned char *) buf_text(&text), text.len, 0, false };
    if (!syntax_read(&s, &clean) || clean.failed)
        return false;
    objects_rewrite(objects, object, &clean);
    return true;
}

static bool is_locked(const struct objects *objects, const struct object *object, uint32_t key)
{
    return object->number && !object->dead && object->number != key &&
           !(object->is_stream && dict_name_is(objects_text(objects, object), "/Type", "/XRef"));
}

/* Replaces all data by one file, of what could not be read as it was. */
static int unlock_all(struct objects *objects, const struct salvage_lock *lock, struct err *err)
{
    AUTO_BUF struct buf file = BUF_EMPTY;
    uint32_t key = rebuild_encryption(objects);

    buf_put(&file, "", 1); /* a file has bytes */
    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];
        AUTO_BUF struct buf data = BUF_EMPTY;
        const unsigned char *was;
        size_t at = file.len, n;

        if (is_locked(objects, object, key) && unlock_object(objects, object, lock, &data)) {
            buf_put(&file, data.data, data.len);
        } else if (object->is_stream) {
            was = stream_data(objects, object, &n);
            buf_put(&file, was, n);
        }
        object->data = at;
        object->data_n = file.len - at;
    }
    if (file.failed || objects->text.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    objects->file_n = file.len;
    objects->plain = buf_take(&file);
    objects->file = (const unsigned char *) objects->plain;
    if (key)
        objects_bury(objects, objects_find(objects, key));
    objects->unlocked = true;
    return 0;
}

int unlock_objects(struct objects *objects, const struct salvage_lock *lock, struct err *err)
{
    AUTO_BUF struct buf shell = BUF_EMPTY;

    if (skeleton_write(objects, &shell, err) < 0)
        return -1;
    if (lock->open(lock->arg, &shell, err) < 0)
        return err->code == ERR_PASSWORD_REQUIRED || err->code == ERR_WRONG_PASSWORD ||
                       err->code == ERR_LIMIT_EXCEEDED
                   ? -1
                   : 1;
    return unlock_all(objects, lock, err);
}
