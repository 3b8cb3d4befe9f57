#include "data/account/key.h"

#include <string.h>

#include "base/id.h"

/* The second letter of a key's prefix; the first is p, or t for a test key. */
static const struct {
    char letter;
    const char *name;
} scopes[KEY_SCOPES] = {
    [KEY_MANAGE] = { 'k', "manage" },
    [KEY_READ] = { 'r', "read" },
    [KEY_SUBMIT] = { 's', "submit" },
};
#define MARK       ((size_t) 3)
#define PUBLIC     (KEY_PREFIX - 1 - MARK) /* letters of the prefix */
#define CHECK      ((size_t) 6)            /* letters of the checksum */
#define CHECKED    (KEY_TEXT - 1 - 1 - CHECK)
#define SECRET     (CHECKED - KEY_PREFIX) /* letters that only the owner knows */
#define OLD_SECRET ((size_t) 39)

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

    if ((prefix[0] != 'p' && prefix[0] != 't') || !prefix[1] || prefix[2] != '_')
        return KEY_SCOPES;
    while (scope < KEY_SCOPES && scopes[scope].letter != prefix[1])
        scope++;
    return scope;
}

bool key_is_test(const char *prefix)
{
    return *prefix == 't';
}

bool key_may_use(const struct key *key, const char *tool)
{
    size_t n = strlen(tool);

    for (const char *at = key->tools; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");

        if (length == n && strncmp(at, tool, n) == 0)
            return true;
        at += length;
    }
    return !*key->tools;
}

bool key_tools_read(const char *text, char out[static KEY_TOOLS])
{
    size_t n = 0;

    for (const char *at = text + strspn(text, " ,"); *at; at += strspn(at, " ,")) {
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");

        if (length == 0 || (at[length] && !strchr(" ,", at[length])) || n + length + 2 > KEY_TOOLS)
            return false;
        if (n)
            out[n++] = ' ';
        memcpy(out + n, at, length);
        n += length;
        at += length;
    }
    out[n] = '\0';
    return true;
}

/* CRC-32 (ISO-HDLC) of the letters before it, as six digits to the base 62: what a secret scanner
 * can check without asking anybody. */
static void checksum(const char *text, char out[static CHECK])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    uint32_t crc = ~0U;

    for (size_t i = 0; i < CHECKED; i++) {
        crc ^= (unsigned char) text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    crc = ~crc;
    for (size_t i = CHECK; i-- > 0; crc /= 62)
        out[i] = digits[crc % 62];
}

void key_make(enum key_scope scope, bool test, char text[static KEY_TEXT])
{
    const char mark[] = { test ? 't' : 'p', scopes[scope].letter, '_' };

    memcpy(text, mark, MARK);
    id_secret(text + MARK, PUBLIC);
    text[KEY_PREFIX - 1] = '_';
    id_secret(text + KEY_PREFIX, SECRET);
    text[CHECKED] = '_';
    checksum(text, text + CHECKED + 1);
    text[KEY_TEXT - 1] = '\0';
}

/* Without a checksum, as it was before version 0.3.0: such keys work on. */
static bool is_old(const char *secret)
{
    return is_letters(secret, OLD_SECRET) && secret[OLD_SECRET] == '\0';
}

static bool is_new(const char *text)
{
    char check[CHECK];

    if (!is_letters(text + KEY_PREFIX, SECRET) || text[CHECKED] != '_' ||
        !is_letters(text + CHECKED + 1, CHECK) || text[KEY_TEXT - 1] != '\0')
        return false;
    checksum(text, check);
    return memcmp(check, text + CHECKED + 1, CHECK) == 0;
}

bool key_split(const char *text, char prefix[static KEY_PREFIX], char digest[static DIGEST_TEXT])
{
    if (!*text || key_scope(text) == KEY_SCOPES || !is_letters(text + MARK, PUBLIC) ||
        text[KEY_PREFIX - 1] != '_' || !(is_old(text + KEY_PREFIX) || is_new(text)))
        return false;
    memcpy(prefix, text, KEY_PREFIX - 1);
    prefix[KEY_PREFIX - 1] = '\0';
    digest_text(text, strlen(text), digest);
    return true;
}
