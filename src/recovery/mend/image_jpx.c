#include "recovery/mend/image_jpx.h"

#include "recovery/image_repair/jpx_mend.h"
#include "recovery/objects/stream.h"

bool image_jpx_mend(struct objects *objects, struct object *object, size_t *damaged)
{
    AUTO_BUF struct buf image = BUF_EMPTY;
    struct text dict = objects_text(objects, object);

    if (!dict_name_is(dict, "/Subtype", "/Image") ||
        !text_is(stream_filter(objects, dict), "/JPXDecode") || !objects_may_check(objects))
        return true;
    objects->checked += object->data_n;
    if (!jpx_mend(objects->file + object->data, object->data_n, &image))
        return !image.failed;
    ++*damaged;
    object->damaged = true;
    object->mended_n = image.len;
    object->mended = (unsigned char *) buf_take(&image);
    return object->mended != NULL;
}
