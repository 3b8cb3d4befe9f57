#include "font/hints.h"

#include <ft2build.h>
#include <limits.h>

#include FT_FREETYPE_H

bool hints_can_go(const void *data, size_t n)
{
    FT_Library library;
    FT_Face face;
    bool found = false;

    if (n > LONG_MAX || FT_Init_FreeType(&library))
        return false;
    if (!FT_New_Memory_Face(library, data, (FT_Long) n, 0, &face)) {
        found = !FT_IS_TRICKY(face);
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
    return found;
}
