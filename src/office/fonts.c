#include "office/fonts.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"

#define ASKED      64
#define NAME_BYTES 80

static struct {
    bool watching;
    char names[ASKED][NAME_BYTES];
    char instead[NAME_BYTES];
    size_t n;
} fonts;

bool fonts_changed(void)
{
    return !FcConfigUptoDate(NULL);
}

void fonts_watch(void)
{
    fonts.watching = true;
    fonts.n = 0;
}

static void remember(const char *name)
{
    for (size_t i = 0; i < fonts.n; i++)
        if (strcasecmp(fonts.names[i], name) == 0)
            return;
    if (fonts.n < ASKED && strlen(name) < NAME_BYTES)
        snprintf(fonts.names[fonts.n++], NAME_BYTES, "%s", name);
}

/*
 * Stands in front of fontconfig's function of the same name, for the whole program: LibreOffice
 * calls it for every font it does not know. A pattern with a character set looks for whichever font
 * has some characters: no font of the document's.
 */
FcBool FcConfigSubstitute(FcConfig *config, FcPattern *pattern, FcMatchKind kind)
{
    static FcBool (*next)(FcConfig *, FcPattern *, FcMatchKind);
    FcChar8 *family = NULL;
    FcCharSet *set = NULL;

    if (!next)
        *(void **) &next = dlsym(RTLD_NEXT, "FcConfigSubstitute"); /* as dlsym(3p) does it */
    if (fonts.watching && FcPatternGetString(pattern, FC_FAMILY, 0, &family) == FcResultMatch &&
        FcPatternGetCharSet(pattern, FC_CHARSET, 0, &set) != FcResultMatch)
        remember((const char *) family);
    return next(config, pattern, kind);
}

/* The best there is for a name; NULL if that is the font itself. */
static const char *best_for(const char *name)
{
    FcPattern *pattern = FcPatternCreate(), *match;
    FcResult result;
    FcChar8 *family = NULL;
    bool itself = false;

    if (!pattern)
        return NULL;
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *) name);
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    match = FcFontMatch(NULL, pattern, &result);
    for (int i = 0; match && FcPatternGetString(match, FC_FAMILY, i, &family) == FcResultMatch; i++)
        itself = itself || strcasecmp((const char *) family, name) == 0;
    if (match && FcPatternGetString(match, FC_FAMILY, 0, &family) == FcResultMatch)
        snprintf(fonts.instead, sizeof fonts.instead, "%s", (const char *) family);
    else
        itself = true;
    if (match)
        FcPatternDestroy(match);
    FcPatternDestroy(pattern);
    return itself ? NULL : fonts.instead;
}

bool fonts_missing(size_t i, const char **name, const char **instead)
{
    fonts.watching = false;
    for (size_t k = 0; k < fonts.n; k++) {
        *name = fonts.names[k];
        *instead = best_for(*name);
        if (*instead && i-- == 0)
            return true;
    }
    return false;
}
