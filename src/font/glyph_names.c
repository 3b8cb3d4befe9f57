#include "font/glyph_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"

static const struct glyph_name names[] = {
#define GLYPH(name, unicode, standard, mac, win) { name, unicode, standard, mac, win },
#include "font/glyph_names.def"
#undef GLYPH
};

static int compare_glyph_names(const void *key, const void *item)
{
    return strcmp(key, ((const struct glyph_name *) item)->name);
}

const struct glyph_name *glyph_name_find(const char *name)
{
    return bsearch(name, names, COUNT(names), sizeof *names, compare_glyph_names);
}

const struct glyph_name *glyph_name_at(unsigned i)
{
    return i < COUNT(names) ? &names[i] : NULL;
}

uint32_t glyph_name_unicode(const char *name)
{
    const struct glyph_name *known = glyph_name_find(name);
    size_t digits = strncmp(name, "uni", 3) == 0 ? 3 : *name == 'u' ? 1 : 0, n = 0;
    uint32_t value = 0;

    if (known)
        return known->unicode;
    if (!digits)
        return 0;
    for (name += digits; n < 6 && num_hex_digit(name[n]) >= 0; n++)
        value = value << 4 | (uint32_t) num_hex_digit(name[n]);
    return n < 4 || name[n] ? 0 : value;
}
