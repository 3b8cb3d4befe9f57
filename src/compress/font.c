/* font: font programs on their way to be smaller. See recode.h. */
#include "base/scope.h"
#include "compress/flate.h"
#include "compress/fonts.h"
#include "compress/recode.h"
#include "font/cff.h"
#include "font/subset.h"

static bool subset(struct obj program, const struct font_need *need, struct buf *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_CFF struct cff cff = { 0 };
    struct subset what = { .keep = need->keep, .cmap = need->cmap, .names = need->names };
    size_t n;

    if (!obj_stream_data(program, &data, &n))
        return false;
    if (!obj_has(program, "/Subtype"))
        return subset_sfnt(data, n, &what, out);
    return cff_open(&cff, data, n) && subset_cff(&cff, &what, out);
}

void recode_font(const struct font_need *need, struct obj program, struct pack_stream *out)
{
    AUTO_BUF struct buf font = BUF_EMPTY, packed = BUF_EMPTY;

    recode_flate(program, out);
    if (!subset(program, need, &font) || !flate_pack(font.data, font.len, FLATE_BEST, &packed) ||
        packed.len >= out->data.len)
        return;
    if (recode_replace(out, &packed, "/FlateDecode") && !obj_has(program, "/Subtype"))
        pack_edit(out, "/Length1", "%zu", font.len);
}
