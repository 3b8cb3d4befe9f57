#include "compress/usage/font_program.h"

#include "base/scope.h"

struct obj font_program_own(struct obj font)
{
    static const char *const keys[] = { "/FontFile2", "/FontFile3", "/FontFile" };
    AUTO_OBJ struct obj descriptor = obj_key(font, "/FontDescriptor");

    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj program = obj_key(descriptor, keys[i]);

        if (obj_is_stream(program))
            return obj_same(program);
    }
    return OBJ_NONE;
}

struct obj font_program(struct obj font)
{
    AUTO_OBJ struct obj descendants = obj_key(font, "/DescendantFonts");
    AUTO_OBJ struct obj descendant = obj_item(descendants, 0);

    return font_program_own(obj_is_dict(descendant) ? descendant : font);
}
