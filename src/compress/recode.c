#include "compress/recode.h"

#include <string.h>

#include "base/scope.h"
#include "compress/flate.h"

#define UNPACKED_MAX (1UL << 30)
#define LARGE        24000 /* bytes */

bool recode_replace(struct pack_stream *out, struct buf *data, const char *filter)
{
    if (data->failed || !pack_edit(out, "/Filter", "%s", filter))
        return false;
    pack_remove(out, "/DecodeParms");
    buf_free(&out->data);
    out->data = *data;
    *data = BUF_EMPTY;
    return true;
}

/* One Flate filter: its predictor, if it has one, stays. */
static bool is_flate(struct obj stream)
{
    AUTO_OBJ struct obj filter = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj first = obj_item(filter, 0);

    return obj_name_is(filter, "/FlateDecode") ||
           (obj_count(filter) == 1 && obj_name_is(first, "/FlateDecode"));
}

/* The best level takes its time, for a per cent. */
static int level_for(size_t n)
{
    return n > LARGE ? FLATE_FINE : FLATE_BEST;
}

void recode_flate(struct obj stream, struct pack_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf unpacked = BUF_EMPTY, packed = BUF_EMPTY;
    size_t n;

    if (is_flate(stream)) {
        if (!flate_unpack(out->data.data, out->data.len, UNPACKED_MAX, &unpacked) ||
            !flate_pack(unpacked.data, unpacked.len, level_for(unpacked.len), &packed) ||
            packed.len >= out->data.len)
            return;
        buf_free(&out->data);
        out->data = packed;
        packed = BUF_EMPTY;
        return;
    }
    if (obj_stream_data(stream, &data, &n) && flate_pack(data, n, level_for(n), &packed) &&
        packed.len + 16 < out->data.len)
        recode_replace(out, &packed, "/FlateDecode");
}

static int copy(struct obj stream, struct pack_stream *out, struct err *err)
{
    AUTO_FREE unsigned char *raw = NULL;
    size_t n;

    if (!obj_stream_raw(stream, &raw, &n))
        return err_set(err, ERR_CORRUPT_FILE, "a part of the document cannot be read");
    buf_put(&out->data, raw, n);
    return out->data.failed ? pdf_no_memory(err) : 0;
}

/* Images and fonts of pages that did not look as before. */
static void recode_kept(const struct recode *recode, const struct object *object, struct obj stream,
                        struct pack_stream *out)
{
    struct recode lossless = *recode;

    lossless.profile = profile_find("lossless");
    if (obj_key_is(stream, "/Subtype", "/Image"))
        recode_image(&lossless, object, stream, out);
    else
        recode_flate(stream, out);
}

int recode_stream(void *cls, const struct object *object, struct pack_stream *out, struct err *err)
{
    const struct recode *recode = cls;
    AUTO_OBJ struct obj stream = inventory_handle(recode->doc, object);
    const struct font_need *need = fonts_need(recode->fonts, object->id);
    size_t before;

    if (copy(stream, out, err) < 0)
        return -1;
    before = out->data.len;
    recode->progress(recode->cls,
                     (double) (object - recode->objects->list) / (double) recode->objects->n);
    if (recode->keep_all) /* NOLINT(bugprone-branch-clone): the order of questions matters */
        recode_flate(stream, out); /* NOLINT(bugprone-branch-clone) */
    else if (idmap_find(recode->kept, object->id) != IDMAP_NONE)
        recode_kept(recode, object, stream, out);
    else if (need)
        recode_font(need, stream, out);
    else if (obj_key_is(stream, "/Subtype", "/Image"))
        recode_image(recode, object, stream, out);
    else
        recode_flate(stream, out);
    if (out->data.len <= before)
        return 0;
    pack_stream_free(out);
    return copy(stream, out, err);
}
