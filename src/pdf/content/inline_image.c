#include "pdf/content/inline_image.h"

#include <string.h>

#include "base/buf.h"
#include "base/scope.h"

static const char *const keys[][2] = {
    { "/BPC", "/BitsPerComponent" }, { "/CS", "/ColorSpace" }, { "/D", "/Decode" },
    { "/DP", "/DecodeParms" },       { "/F", "/Filter" },      { "/H", "/Height" },
    { "/IM", "/ImageMask" },         { "/I", "/Interpolate" }, { "/W", "/Width" },
};

static const char *const filters[][2] = {
    { "/AHx", "/ASCIIHexDecode" }, { "/A85", "/ASCII85Decode" },  { "/LZW", "/LZWDecode" },
    { "/Fl", "/FlateDecode" },     { "/RL", "/RunLengthDecode" }, { "/CCF", "/CCITTFaxDecode" },
    { "/DCT", "/DCTDecode" },
};

struct obj inline_image_dict(qpdf_data q, const char *text, size_t n)
{
    AUTO_BUF struct buf whole = BUF_EMPTY;
    AUTO_OBJ struct obj dict = OBJ_NONE;

    buf_puts(&whole, "<<");
    buf_put(&whole, text, n);
    buf_puts(&whole, ">>");
    if (whole.failed || strlen(whole.data) != whole.len)
        return OBJ_NONE;
    dict = obj_try_parse(q, whole.data);
    for (size_t i = 0; obj_is_dict(dict) && i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i][0]);

        if (obj_is_null(value))
            continue;
        obj_remove(dict, keys[i][0]);
        obj_set(dict, keys[i][1], value);
    }
    return obj_same(dict);
}

void inline_image_copy(struct obj dict, struct obj image)
{
    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i][1]);

        if (!obj_is_null(value))
            obj_set(image, keys[i][1], value);
    }
}

struct obj inline_image_filter(struct obj name)
{
    for (size_t i = 0; i < COUNT(filters); i++)
        if (obj_name_is(name, filters[i][0]))
            return obj_new_name(name.q, filters[i][1]);
    return obj_same(name);
}
