#include "compress/streams/recode_icc.h"

#include "base/scope.h"
#include "compress/streams/recode_flate.h"
#include "syntax/inflate/flate.h"

void recode_icc(struct obj profile, const struct icc_trim *how, struct new_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf trimmed = BUF_EMPTY, packed = BUF_EMPTY;
    size_t n;

    if (!obj_stream_data(profile, &data, &n) || !icc_trim(data, n, how, &trimmed) ||
        !flate_pack(trimmed.data, trimmed.len, FLATE_BEST, &packed) ||
        packed.len >= out->data.len || !new_stream_replace(out, &packed, "/FlateDecode"))
        recode_flate(profile, out);
}
