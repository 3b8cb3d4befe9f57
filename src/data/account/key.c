#include "data/account/key.h"

#include <string.h>

#include "base/id.h"

static const struct {
    const char mark[4], *name;
} scopes[KEY_SCOPES] = {
    [KEY_MANAGE] = { "pk_", "manage" },
    [KEY_READ] = { "pr_", "read" },
    [KEY_SUBMIT] = { "ps_", "submit" },
};
#define MARK   ((size_t) 3)
#define PUBLIC (KEY_PREFIX - 1 - MARK)               /* letters of the prefix */
#define SECRET (KEY_TEXT - 1 - (KEY_PREFIX - 1) - 1) /* letters that only the owner knows */

static bool is_letters(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = text[i];

        /* Not isalnum, which depends on the locale. Stops at a NUL, so no byte after it is read. */
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
            return false;
    }
    return true;
}

const char *key_scope_name(enum key_scope scope)
{
    return scopes[scope].name;
}

enum key_scope key_scope_find(const char *name)
{
    enum key_scope scope = 0;

    while (scope < KEY_SCOPES && strcmp(scopes[scope].name, name) != 0)
        scope++;
    return scope;
}

enum key_scope key_scope(const char *prefix)
{
    enum key_scope scope = 0;

    while (scope < KEY_SCOPES && strncmp(scopes[scope].mark, prefix, MARK) != 0)
        scope++;
    return scope;
}

void key_make(enum key_scope scope, char text[static KEY_TEXT])
{
    memcpy(text, scopes[scope].mark, MARK);
    id_secret(text + MARK, PUBLIC);
    text[KEY_PREFIX - 1] = '_';
    id_secret(text + KEY_PREFIX, SECRET);
}

bool key_split(const char *text, char prefix[static KEY_PREFIX], char digest[static DIGEST_TEXT])
{
    if (key_scope(text) == KEY_SCOPES || !is_letters(text + MARK, PUBLIC) ||
        text[KEY_PREFIX - 1] != '_' || !is_letters(text + KEY_PREFIX, SECRET) ||
        text[KEY_TEXT - 1] != '\0')
        return false;
    memcpy(prefix, text, KEY_PREFIX - 1);
    prefix[KEY_PREFIX - 1] = '\0';
    digest_text(text, KEY_TEXT - 1, digest);
    return true;
}
