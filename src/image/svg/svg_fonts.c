#include "image/svg/svg_fonts.h"

#include <fontconfig/fontconfig.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "declare/value/text.h"

static bool is_installed(const char *family)
{
    FcPattern *wanted = FcPatternBuild(NULL, FC_FAMILY, FcTypeString, family, NULL);
    FcObjectSet *families = FcObjectSetBuild(FC_FAMILY, NULL);
    FcFontSet *fonts = wanted && families ? FcFontList(NULL, wanted, families) : NULL;
    bool found = fonts && fonts->nfont > 0;

    if (fonts)
        FcFontSetDestroy(fonts);
    if (families)
        FcObjectSetDestroy(families);
    if (wanted)
        FcPatternDestroy(wanted);
    return found;
}

static bool is_generic(const char *family)
{
    static const char *const generic[] = {
        "serif",   "sans-serif", "sans",     "monospace",     "mono",  "cursive",
        "fantasy", "system-ui",  "ui-serif", "ui-sans-serif", "math",  "ui-monospace",
        "inherit", "initial",    "unset",    "revert",        "emoji",
    };

    for (size_t i = 0; i < COUNT(generic); i++)
        if (strcasecmp(family, generic[i]) == 0)
            return true;
    return false;
}

bool svg_fonts_missing(const char *list, char *name, size_t n)
{
    static const char around[] = " \t\r\n\"'";
    bool missing = false;

    for (const char *at = list; *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        const char *end = at + length;
        char family[128];

        while (at < end && strchr(around, *at))
            at++;
        while (end > at && strchr(around, end[-1]))
            end--;
        length = (size_t) (end - at);
        if (length > 0 && length < sizeof family) {
            memcpy(family, at, length);
            family[length] = 0;
            if (!is_generic(family) && is_installed(family))
                return false;
            if (!is_generic(family) && !missing) {
                text_for_message(family, length, name, n);
                missing = true;
            }
        }
        at = end + strcspn(end, ",");
    }
    return missing;
}
