#include "compress/streams/recode_metadata.h"

#include "base/scope.h"
#include "compress/streams/metadata.h"
#include "compress/streams/recode_flate.h"
#include "syntax/inflate/flate.h"

void recode_metadata(struct obj metadata, bool bare, struct new_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf shorter = BUF_EMPTY, packed = BUF_EMPTY;
    size_t n;

    if (!obj_stream_data(metadata, &data, &n) || !metadata_shorten(data, n, &shorter)) {
        if (!bare)
            recode_flate(metadata, out);
    } else if (bare && !obj_has(metadata, "/Filter")) {
        new_stream_move(out, &shorter);
    } else if (!bare && flate_pack(shorter.data, shorter.len, FLATE_BEST, &packed) &&
               packed.len < out->data.len) {
        new_stream_replace(out, &packed, "/FlateDecode");
    }
}
