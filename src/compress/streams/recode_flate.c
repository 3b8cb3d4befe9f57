#include "compress/streams/recode_flate.h"

#include "base/scope.h"
#include "syntax/inflate/flate.h"
#include "syntax/inflate/inflate.h"

#define UNPACKED_MAX (128UL << 20) /* bytes: a stream that unpacks to more stays as it is */

/* One Flate filter: its predictor, if it has one, stays. */
static bool is_flate(struct obj stream)
{
    AUTO_OBJ struct obj filter = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj first = obj_item(filter, 0);

    return obj_name_is(filter, "/FlateDecode") ||
           (obj_count(filter) == 1 && obj_name_is(first, "/FlateDecode"));
}

void recode_flate(struct obj stream, struct new_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf unpacked = BUF_EMPTY, packed = BUF_EMPTY;
    size_t n;

    if (is_flate(stream)) {
        if (!inflate_bytes(out->data.data, out->data.len, UNPACKED_MAX, &unpacked) ||
            !flate_pack(unpacked.data, unpacked.len, flate_level(unpacked.len), &packed) ||
            packed.len >= out->data.len)
            return;
        new_stream_move(out, &packed);
        return;
    }
    if (obj_stream_data(stream, &data, &n) && flate_pack(data, n, flate_level(n), &packed) &&
        packed.len + 16 < out->data.len)
        new_stream_replace(out, &packed, "/FlateDecode");
}
