#include "data/account/key.h"

#include <string.h>

#include "base/id.h"

static const char mark[] = "pk_";
#define MARK   (sizeof mark - 1)
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

void key_make(char text[static KEY_TEXT])
{
    memcpy(text, mark, MARK);
    id_secret(text + MARK, PUBLIC);
    text[KEY_PREFIX - 1] = '_';
    id_secret(text + KEY_PREFIX, SECRET);
}

bool key_split(const char *text, char prefix[static KEY_PREFIX], char digest[static DIGEST_TEXT])
{
    if (strncmp(text, mark, MARK) != 0 || !is_letters(text + MARK, PUBLIC) ||
        text[KEY_PREFIX - 1] != '_' || !is_letters(text + KEY_PREFIX, SECRET) ||
        text[KEY_TEXT - 1] != '\0')
        return false;
    memcpy(prefix, text, KEY_PREFIX - 1);
    prefix[KEY_PREFIX - 1] = '\0';
    digest_text(text, KEY_TEXT - 1, digest);
    return true;
}
