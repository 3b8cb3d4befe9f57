/* pdfa_image: streams, colour spaces and images of a document for PDF/A. */
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/pdfa/pdfa_walk.h"

#define SPACES        4   /* colour spaces within each other */
#define PROFILE_LEAST 132 /* bytes */

int pdfa_walk_refuse(struct pdfa_walk *walk, const char *what)
{
    return err_field(walk->err, ERR_UNSUPPORTED_CONTENT, walk->kind->field, "page %zu %s: %s",
                     walk->page + 1, what, walk->kind->advice);
}

bool pdfa_walk_is_new(struct pdfa_walk *walk, struct obj object)
{
    return !obj_is_indirect(object) || key_map_add_id(&walk->seen, obj_id(object));
}

static bool is_name_of(struct obj name, const char *const *names)
{
    for (; *names; names++)
        if (obj_name_is(name, *names))
            return true;
    return false;
}

static int check_filter(struct pdfa_walk *walk, struct obj filter)
{
    static const char *const known[] = { "/FlateDecode",     "/DCTDecode",
                                         "/CCITTFaxDecode",  "/JBIG2Decode",
                                         "/ASCII85Decode",   "/ASCIIHexDecode",
                                         "/RunLengthDecode", NULL };

    if (is_name_of(filter, known))
        return 0;
    return pdfa_walk_refuse(walk, obj_name_is(filter, "/JPXDecode")
                                      ? "has a picture in JPEG 2000, which is not checked"
                                      : "has data in a form that is not allowed");
}

/* Writes data that is in LZW in another form. */
static int decode_lzw(struct pdfa_walk *walk, struct obj stream, struct obj dict)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_stream_data(stream, &data, &n))
        return pdfa_walk_refuse(walk, "has data in LZW that cannot be decoded");
    obj_remove(dict, "/Filter");
    obj_remove(dict, "/DecodeParms");
    obj_set_stream(stream, data, n);
    return 0;
}

int pdfa_walk_stream(struct pdfa_walk *walk, struct obj stream)
{
    static const char *const outside[] = { "/F", "/FFilter", "/FDecodeParms", NULL };
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_OBJ struct obj filter = obj_key(dict, "/Filter");
    AUTO_OBJ struct obj first = obj_item(filter, 0);
    int n = obj_count(filter);

    for (int i = 0; outside[i]; i++)
        if (obj_has(dict, outside[i]))
            return pdfa_walk_refuse(walk, "has data that is in another file");
    obj_remove(dict, "/Metadata");
    obj_remove(dict, "/PieceInfo");
    if (obj_name_is(filter, "/LZWDecode") || (n == 1 && obj_name_is(first, "/LZWDecode")))
        return decode_lzw(walk, stream, dict);
    if (obj_is_name(filter))
        return check_filter(walk, filter);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(filter, i);

        if (check_filter(walk, item) < 0)
            return -1;
    }
    return 0;
}

/* Whether the profile is one of an input, a display, an output or a colour space, of the version
 * that PDF 1.7 knows, and of `n` colours (6.2.4.2). */
static bool is_profile(const unsigned char *data, size_t bytes, long long n)
{
    static const char *const classes[] = { "scnr", "mntr", "prtr", "spac" };
    static const struct {
        const char *space;
        long long n;
    } spaces[] = { { "GRAY", 1 }, { "RGB ", 3 }, { "Lab ", 3 }, { "CMYK", 4 } };
    bool known = false, fits = false;

    if (bytes < PROFILE_LEAST || data[8] < 2 || data[8] > 4 || memcmp(data + 36, "acsp", 4) != 0)
        return false;
    for (size_t i = 0; i < COUNT(classes); i++)
        known |= memcmp(data + 12, classes[i], 4) == 0;
    for (size_t i = 0; i < COUNT(spaces); i++)
        fits |= memcmp(data + 16, spaces[i].space, 4) == 0 && n == spaces[i].n;
    return known && fits;
}

static int check_profile(struct pdfa_walk *walk, struct obj stream)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_FREE unsigned char *data = NULL;
    long long colours;
    size_t n;

    if (!pdfa_walk_is_new(walk, stream))
        return 0;
    if (!obj_is_stream(stream) || pdfa_walk_stream(walk, stream) < 0)
        return obj_is_stream(stream) ? -1 : pdfa_walk_refuse(walk, "has a colour space of no kind");
    if (!obj_key_int(dict, "/N", &colours) || !obj_stream_data(stream, &data, &n) ||
        !is_profile(data, n, colours))
        return pdfa_walk_refuse(walk, "has a colour profile that is damaged or of another kind");
    obj_remove(dict, "/Alternate"); /* it is not used where the profile is known */
    return 0;
}

int pdfa_walk_space(struct pdfa_walk *walk, struct obj space, int depth)
{
    static const char *const plain[] = { "/DeviceGray", "/DeviceRGB", NULL };
    static const char *const calibrated[] = { "/CalGray", "/CalRGB", "/Lab", NULL };
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj second = obj_item(space, 1);

    if (is_name_of(space, plain) || is_name_of(kind, calibrated) ||
        (obj_count(space) == 1 && is_name_of(kind, plain)))
        return 0;
    if (obj_name_is(kind, "/ICCBased"))
        return check_profile(walk, second);
    if (obj_name_is(kind, "/Indexed") && depth < SPACES)
        return pdfa_walk_space(walk, second, depth + 1);
    if (walk->kind->printed && (obj_name_is(space, "/Pattern") || obj_name_is(kind, "/Pattern")))
        return obj_count(space) < 2 ? 0 : pdfa_walk_space(walk, second, depth + 1);
    return pdfa_walk_refuse(walk, obj_name_is(space, "/DeviceCMYK")
                                      ? "has colours in CMYK without a profile"
                                      : "has a colour space that is not checked");
}

static int check_mask(struct pdfa_walk *walk, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj mask = obj_key(dict, key);

    return obj_is_stream(mask) ? pdfa_walk_image(walk, mask) : 0;
}

int pdfa_walk_image(struct pdfa_walk *walk, struct obj image)
{
    static const char *const intents[] = { "/RelativeColorimetric", "/AbsoluteColorimetric",
                                           "/Perceptual", "/Saturation", NULL };
    static const char *const refused[] = {
        "/Alternates", "/OPI", "/OC", "/AF", "/SMaskInData", NULL
    };
    AUTO_OBJ struct obj dict = obj_dict(image);
    AUTO_OBJ struct obj space = obj_key(dict, "/ColorSpace");
    AUTO_OBJ struct obj intent = obj_key(dict, "/Intent");
    AUTO_OBJ struct obj stencil = obj_key(dict, "/ImageMask");
    bool is_stencil = false;

    if (!pdfa_walk_is_new(walk, image))
        return 0;
    if (pdfa_walk_stream(walk, image) < 0)
        return -1;
    for (int i = 0; refused[i]; i++)
        if (obj_has(dict, refused[i]))
            return pdfa_walk_refuse(walk, "has a picture with other versions or layers");
    if (!obj_is_null(intent) && !is_name_of(intent, intents))
        return pdfa_walk_refuse(walk, "has a picture with an unknown rendering intent");
    obj_remove(dict, "/Interpolate"); /* it may not be true */
    if (!(obj_is_bool(stencil, &is_stencil) && is_stencil) && pdfa_walk_space(walk, space, 0) < 0)
        return -1;
    return check_mask(walk, dict, "/SMask") < 0 ? -1 : check_mask(walk, dict, "/Mask");
}

int pdfa_walk_group(struct pdfa_walk *walk, struct obj holder)
{
    AUTO_OBJ struct obj group = obj_key(holder, "/Group");
    AUTO_OBJ struct obj space = obj_key(group, "/CS");

    if (obj_is_null(group))
        return 0;
    if (!obj_is_dict(group) || !obj_key_is(group, "/S", "/Transparency"))
        return pdfa_walk_refuse(walk, "has a group of no kind");
    return obj_is_null(space) ? 0 : pdfa_walk_space(walk, space, 0);
}
