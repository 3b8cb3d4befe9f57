#include "declare/value/language_list.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void language_list_package(const char *code, char out[static LANGUAGE_LIST_PACKAGE])
{
    snprintf(out, LANGUAGE_LIST_PACKAGE, "tesseract-ocr-%s", code);
    for (char *c = out; *c; c++)
        *c = *c == '_' ? '-' : (char) tolower((unsigned char) *c);
}

static bool is_installed(const char *code, const char *const *installed)
{
    for (size_t i = 0; installed && installed[i]; i++)
        if (strcmp(installed[i], code) == 0)
            return true;
    return !installed;
}

static int refuse(const char *code, const char *const *installed, struct err *err)
{
    char package[LANGUAGE_LIST_PACKAGE], list[120] = "";
    size_t n = 0;

    language_list_package(code, package);
    for (size_t i = 0; installed && installed[i] && n < sizeof list; i++)
        if (strcmp(installed[i], LANGUAGE_LIST_AUTO) != 0)
            n += (size_t) snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", installed[i]);
    return err_set(err, ERR_INVALID_PARAMETER,
                   "the language %s is not installed here: apt-get install %s installs it; there "
                   "are %s",
                   code, package, list);
}

int language_list_check(const char *text, const char *const *installed, struct err *err)
{
    const char *at = text;

    if (strcmp(text, LANGUAGE_LIST_AUTO) == 0)
        return 0;
    for (size_t i = 0; i < LANGUAGE_LIST_MOST; i++) {
        size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        char code[LANGUAGE_LIST_CODE];

        if (n < 2 || n >= sizeof code || (at[n] != '+' && at[n] != '\0'))
            break;
        snprintf(code, sizeof code, "%.*s", (int) n, at);
        if (strcmp(code, LANGUAGE_LIST_AUTO) == 0)
            break;
        if (!is_installed(code, installed))
            return refuse(code, installed, err);
        if (at[n] == '\0')
            return 0;
        at += n + 1;
    }
    return err_set(err, ERR_INVALID_PARAMETER,
                   "it must be auto, or at most %d codes of languages joined by +, such as deu+eng",
                   LANGUAGE_LIST_MOST);
}
