#include "compress/fonts/font.h"

#include "base/bits.h"
#include "base/octets.h"
#include "base/scope.h"
#include "compress/streams/recode_flate.h"
#include "font/cff.h"
#include "font/subset.h"
#include "font/type1.h"
#include "syntax/inflate/flate.h"

#define WORTH_CUTTING 0.8 /* in sizes of the program: compressing it again gains less */

static bool convert(const void *data, size_t n, const struct font_need *need, struct buf *out)
{
    AUTO_TYPE1 struct type1 font = { 0 };

    return type1_open(&font, data, n) && type1_to_cff(&font, need->keep, out);
}

static bool subset(struct obj program, const struct font_need *need, bool unhinted, bool *converted,
                   struct buf *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_CFF struct cff cff = { 0 };
    struct subset what = { .keep = need->keep,
                           .cmap = need->cmap,
                           .names = need->names,
                           .unhinted = unhinted && !need->form };
    size_t n;

    *converted = false;
    if (!obj_stream_data(program, &data, &n))
        return false;
    if (obj_key_is(program, "/Subtype", "/OpenType"))
        return subset_sfnt(data, n, &what, out);
    if (!obj_has(program, "/Subtype")) {
        *converted = type1_is(data, n);
        return *converted ? convert(data, n, need, out) : subset_sfnt(data, n, &what, out);
    }
    return cff_open(&cff, data, n) && subset_cff(&cff, &what, out);
}

bool font_cut(const struct font_need *need, struct obj program, struct buf *out)
{
    bool converted;

    return subset(program, need, false, &converted, out) && !converted;
}

/* The descriptors that refer to it follow (descriptor.h). */
static void become_cff(struct new_stream *out)
{
    new_stream_set(out, "/Subtype", "/Type1C");
    new_stream_remove(out, "/Length1");
    new_stream_remove(out, "/Length2");
    new_stream_remove(out, "/Length3");
}

enum font_change font_recode(const struct font_need *need, struct obj program, bool may_convert,
                             bool unhinted, struct new_stream *out)
{
    AUTO_BUF struct buf font = BUF_EMPTY, packed = BUF_EMPTY;
    bool converted = false;
    bool made = subset(program, need, unhinted, &converted, &font) && (!converted || may_convert) &&
                flate_pack(font.data, font.len, flate_level(font.len), &packed);

    /* Compressing the whole font again takes longest: only if subsetting gained little. */
    if (!made || (double) packed.len > WORTH_CUTTING * (double) out->data.len)
        recode_flate(program, out);
    if (!made || packed.len >= out->data.len || !new_stream_replace(out, &packed, "/FlateDecode"))
        return FONT_WHOLE;
    if (converted)
        become_cff(out);
    else if (!obj_has(program, "/Subtype"))
        new_stream_set(out, "/Length1", "%zu", font.len);
    return converted ? FONT_CONVERTED : FONT_SUBSET;
}

void font_recode_map(const struct font_need *need, struct obj map, struct new_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf packed = BUF_EMPTY;
    size_t n, end = 2;

    if (!obj_stream_data(map, &data, &n) || n < end) {
        recode_flate(map, out);
        return;
    }
    for (size_t i = 0; i + 1 < n; i += 2) {
        if (!bits_has(need->keep, octets_be16(data + i)))
            data[i] = data[i + 1] = 0;
        else if (octets_be16(data + i) > 0)
            end = i + 2;
    }
    if (!flate_pack(data, end, flate_level(end), &packed) || packed.len >= out->data.len ||
        !new_stream_replace(out, &packed, "/FlateDecode"))
        recode_flate(map, out);
}
