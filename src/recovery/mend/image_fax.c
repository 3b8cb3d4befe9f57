#include "recovery/mend/image_fax.h"

#include <string.h>

#include "recovery/image_repair/fax_mend.h"
#include "recovery/inflate_repair/zstream.h"
#include "recovery/mend/image_entries.h"
#include "recovery/objects/stream.h"

#define COLUMNS 1728 /* without /Columns (ISO 32000-1, table 11) */

static bool is_true(const struct objects *objects, struct text dict, const char *key)
{
    return text_is(objects_key(objects, dict, key), "true");
}

/* /K may be below 0, which is not a number of those that text_number reads. */
static int k_of(const struct objects *objects, struct text params)
{
    struct text k = objects_key(objects, params, "/K");

    if (k.n > 0 && k.at[0] == '-')
        return -1;
    return image_number(objects, params, "/K") > 0;
}

static struct fax describe_fax(const struct objects *objects, struct text dict, struct text params)
{
    unsigned width = image_number(objects, params, "/Columns");
    unsigned rows = image_number(objects, params, "/Rows");
    unsigned height = image_number(objects, dict, "/Height");

    return (struct fax){ k_of(objects, params), is_true(objects, params, "/EncodedByteAlign"),
                         width ? width : COLUMNS, height ? height : rows };
}

/* Samples as the filter gives them: black is 0 unless the parameters say otherwise. */
static void turn(struct buf *rows, const struct objects *objects, struct text params)
{
    if (!is_true(objects, params, "/BlackIs1"))
        for (size_t i = 0; i < rows->len; i++)
            rows->data[i] = (char) ~rows->data[i];
}

bool image_fax_mend(struct objects *objects, struct object *object, size_t *damaged)
{
    static const char *const without[] = { "/Filter", "/DecodeParms", "/F", "/DP", NULL };
    static const char filter[] = "/Filter /FlateDecode ";
    AUTO_BUF struct buf rows = BUF_EMPTY;
    AUTO_BUF struct buf packed = BUF_EMPTY;
    struct text dict = objects_text(objects, object);
    struct text params = image_params(objects, dict);
    const unsigned char *data = objects->file + object->data;
    struct fax fax = describe_fax(objects, dict, params);
    size_t lost;

    if (!dict_name_is(dict, "/Subtype", "/Image") || !stream_is_fax(objects, dict) ||
        !objects_may_check(objects))
        return true;
    objects->checked += object->data_n * 8;
    if (fax_mend(data, object->data_n, &fax, &rows, &lost) != FAX_MENDED)
        return true;
    objects->checked += rows.len;
    turn(&rows, objects, params);
    if (!zstream_pack(rows.data, rows.len, &packed))
        return false;
    ++*damaged;
    object->damaged = true;
    object->mended_n = packed.len;
    object->mended = (unsigned char *) buf_take(&packed);
    return object->mended &&
           objects_change(objects, object, without, (struct text){ filter, sizeof filter - 1 });
}
