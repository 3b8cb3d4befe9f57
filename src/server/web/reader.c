#include "server/web/reader.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"

static const char *const languages[] = { "en", "de", "fr", "es", "pt", "ja", "zh", "ar" };

/* The language whose name is the first subtag at `text`: "de" of "de-AT". */
static const char *find_language(const char *text)
{
    size_t n = strcspn(text, "-,;= \t");

    for (size_t i = 0; i < COUNT(languages); i++)
        if (n == strlen(languages[i]) && strncasecmp(text, languages[i], n) == 0)
            return languages[i];
    return NULL;
}

/* The weight of a language range that ends before `end`: 1 if none is given. */
static double weight_of(const char *range, const char *end)
{
    const char *given = memchr(range, ';', (size_t) (end - range));

    if (!given)
        return 1;
    given += 1 + strspn(given + 1, " \t");
    return strncasecmp(given, "q=", 2) == 0 ? strtod(given + 2, NULL) : 1;
}

static const char *choose_accepted(const char *accepted)
{
    const char *best = NULL;
    double most = 0;

    for (const char *at = accepted; *at; at += strspn(at, ", \t")) {
        const char *end = at + strcspn(at, ","), *found = find_language(at);
        double weight = found ? weight_of(at, end) : 0;

        if (weight > most) {
            most = weight;
            best = found;
        }
        at = end;
    }
    return best;
}

/* The value of a cookie, up to a ';' or the end, or NULL. */
static const char *find_cookie(const char *cookies, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = cookies ? cookies : ""; *at; at += strspn(at, "; ")) {
        if (strncmp(at, name, n) == 0 && at[n] == '=')
            return at + n + 1;
        at += strcspn(at, ";");
    }
    return NULL;
}

const char *web_language(const char *cookies, const char *accepted)
{
    const char *kept = find_cookie(cookies, "platen_language");
    const char *found = kept ? find_language(kept) : NULL;

    if (!found && accepted)
        found = choose_accepted(accepted);
    return found ? found : languages[0];
}

const char *web_theme(const char *cookies)
{
    static const char *const themes[] = { "light", "dark" };
    const char *kept = find_cookie(cookies, "platen_theme");

    for (size_t i = 0; kept && i < COUNT(themes); i++)
        if (strcspn(kept, ";") == strlen(themes[i]) &&
            strncmp(kept, themes[i], strlen(themes[i])) == 0)
            return themes[i];
    return "";
}

const char *web_direction(const char *language)
{
    return strcmp(language, "ar") == 0 ? "rtl" : "ltr";
}
