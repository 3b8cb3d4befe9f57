#include "pdf/object/image_dict.h"

#include "base/scope.h"

bool image_dict_is_lossless(struct obj filter)
{
    static const char *const names[] = { "/FlateDecode", "/LZWDecode", "/ASCII85Decode",
                                         "/ASCIIHexDecode", "/RunLengthDecode" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (obj_name_is(filter, names[i]))
            return true;
    return false;
}

void image_dict_decode(struct obj image, size_t component, double *low, double *high)
{
    AUTO_OBJ struct obj map = obj_key(image, "/Decode");
    AUTO_OBJ struct obj first = obj_item(map, (int) (2 * component));
    AUTO_OBJ struct obj last = obj_item(map, (int) (2 * component + 1));

    obj_is_number(first, low);
    obj_is_number(last, high);
}
