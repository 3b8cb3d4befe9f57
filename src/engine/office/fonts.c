#include "engine/office/fonts.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"

#define ASKED      64
#define NAME_BYTES 80

static struct {
    bool watching;
    const FcPattern *pattern; /* that was last completed, and the font it began with */
    char wanted[NAME_BYTES];
    struct {
        char name[NAME_BYTES], instead[NAME_BYTES];
    } replaced[ASKED];
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

bool fonts_replaced(size_t i, const char **name, const char **instead)
{
    if (i >= fonts.n)
        return false;
    *name = fonts.replaced[i].name;
    *instead = fonts.replaced[i].instead;
    return true;
}

static const char *family_of(const FcPattern *pattern, int i)
{
    FcChar8 *family = NULL;

    return FcPatternGetString(pattern, FC_FAMILY, i, &family) == FcResultMatch
               ? (const char *) family
               : NULL;
}

/* A pattern with a character set searches any font with some characters: it is not a font of the
 * document. */
static bool names_font(const FcPattern *pattern)
{
    FcCharSet *set = NULL;
    const char *family = family_of(pattern, 0);

    return family && strlen(family) < NAME_BYTES &&
           FcPatternGetCharSet(pattern, FC_CHARSET, 0, &set) != FcResultMatch;
}

static void remember(const char *wanted, const FcPattern *found)
{
    const char *instead = family_of(found, 0), *family;

    for (int i = 0; (family = family_of(found, i)); i++)
        if (strcasecmp(family, wanted) == 0)
            return; /* it is here */
    for (size_t i = 0; i < fonts.n; i++)
        if (strcasecmp(fonts.replaced[i].name, wanted) == 0)
            return;
    if (fonts.n == ASKED || !instead)
        return;
    snprintf(fonts.replaced[fonts.n].name, NAME_BYTES, "%s", wanted);
    snprintf(fonts.replaced[fonts.n++].instead, NAME_BYTES, "%s", instead);
}

/*
 * These two stand in front of fontconfig's functions of the same names, for the whole program.
 * LibreOffice calls them in this order for every font it does not know.
 */
FcBool FcConfigSubstitute(FcConfig *config, FcPattern *pattern, FcMatchKind kind)
{
    static FcBool (*next)(FcConfig *, FcPattern *, FcMatchKind);

    if (!next)
        *(void **) &next = dlsym(RTLD_NEXT, "FcConfigSubstitute"); /* as dlsym(3p) does it */
    fonts.pattern = NULL;
    if (fonts.watching && names_font(pattern)) {
        fonts.pattern = pattern;
        snprintf(fonts.wanted, sizeof fonts.wanted, "%s", family_of(pattern, 0));
    }
    return next(config, pattern, kind);
}

/* Some of these say that they have letters: where those should be they have symbols. */
static const char *const symbol_fonts[] = { "D050000L", "Dingbats", "Standard Symbols",
                                            "OpenSymbol", "Symbol" };

static bool is_symbols(const FcPattern *found)
{
    const char *family = family_of(found, 0);
    FcBool symbol = FcFalse;

    if (FcPatternGetBool(found, FC_SYMBOL, 0, &symbol) == FcResultMatch && symbol)
        return true;
    for (size_t i = 0; family && i < COUNT(symbol_fonts); i++)
        if (strncasecmp(family, symbol_fonts[i], strlen(symbol_fonts[i])) == 0)
            return true;
    return false;
}

/*
 * For a font for headlines, such as Impact, fontconfig may find a font of symbols: text set in it
 * cannot be read. Then it is asked again, for a font without serifs.
 */
FcPattern *FcFontSetMatch(FcConfig *config, FcFontSet **sets, int n, FcPattern *pattern,
                          FcResult *result)
{
    static FcPattern *(*next)(FcConfig *, FcFontSet **, int, FcPattern *, FcResult *);
    FcPattern *found;

    if (!next)
        *(void **) &next = dlsym(RTLD_NEXT, "FcFontSetMatch");
    found = next(config, sets, n, pattern, result);
    if (!found || fonts.pattern != pattern)
        return found;
    if (is_symbols(found) && !strcasestr(fonts.wanted, "ding") &&
        !strcasestr(fonts.wanted, "symbol")) {
        FcPattern *plain = FcPatternDuplicate(pattern), *again = NULL;

        if (plain && FcPatternDel(plain, FC_FAMILY) &&
            FcPatternAddString(plain, FC_FAMILY, (const FcChar8 *) "Liberation Sans"))
            again = next(config, sets, n, plain, result);
        if (plain)
            FcPatternDestroy(plain);
        if (again) {
            FcPatternDestroy(found);
            found = again;
        }
    }
    remember(fonts.wanted, found);
    return found;
}
