#include "declare/value/text.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/utf8.h"

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f);
}

/* Whether a character changes how the text around it is displayed (UAX #9, UTS #39). */
static bool is_deceptive(uint32_t c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029 || c == 0xfeff;
}

bool text_count(const char *text, size_t n, size_t *characters)
{
    *characters = 0;
    while (n) {
        uint32_t c;
        size_t len = utf8_decode(text, n, &c);

        if (len && c == '\r' && n > 1 && text[1] == '\n')
            len = 2;
        else if (len == 0 || (is_control(c) && c != '\n' && c != '\t'))
            return false;
        text += len;
        n -= len;
        ++*characters;
    }
    return true;
}

/* Whether a character is white space or invisible (Unicode's Default_Ignorable_Code_Point). */
static bool is_unseen(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        { 0x0, 0x20 },        { 0x7f, 0xa0 },     { 0xad, 0xad },       { 0x34f, 0x34f },
        { 0x61c, 0x61c },     { 0x115f, 0x1160 }, { 0x1680, 0x1680 },   { 0x17b4, 0x17b5 },
        { 0x180b, 0x180f },   { 0x2000, 0x200f }, { 0x2028, 0x202f },   { 0x205f, 0x206f },
        { 0x3000, 0x3000 },   { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
        { 0xffa0, 0xffa0 },   { 0xfff0, 0xfff8 }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
        { 0xe0000, 0xe0fff },
    };

    for (size_t i = 0; i < COUNT(ranges); i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

bool text_is_line(const char *text)
{
    return !text[strcspn(text, "\r\n\t")] && !strstr(text, "\u2028") && !strstr(text, "\u2029");
}

bool text_is_blank(const char *text)
{
    size_t n = strlen(text);
    uint32_t c;

    for (size_t len; n; text += len, n -= len) {
        len = utf8_decode(text, n, &c);
        if (len == 0 || !is_unseen(c))
            return false;
    }
    return true;
}

void text_join_breaks(char *text)
{
    char *to = text;

    for (; *text; text++)
        if (text[0] != '\r' || text[1] != '\n')
            *to++ = *text;
    *to = '\0';
}

/* Copies up to cap - 1 bytes; characters for which `bad` is true become `instead`. */
static void copy_replacing(const char *text, size_t n, char *out, size_t cap, bool (*bad)(uint32_t),
                           char instead)
{
    size_t k = 0;

    while (n) {
        uint32_t c = 0;
        size_t len = utf8_decode(text, n, &c);
        bool keep = len && !bad(c);
        size_t need = keep ? len : 1;

        if (k + need >= cap)
            break;
        if (keep)
            memcpy(out + k, text, len);
        else
            out[k] = instead;
        k += need;
        text += len ? len : 1;
        n -= len ? len : 1;
    }
    out[k] = '\0';
}

static bool bad_in_message(uint32_t c)
{
    return is_control(c) || is_deceptive(c);
}

static bool bad_in_name(uint32_t c)
{
    return bad_in_message(c) || (c < 0x80 && strchr("<>:\"|?*/\\", (int) c) != NULL);
}

void text_for_message(const char *text, size_t n, char *out, size_t cap)
{
    copy_replacing(text, n, out, cap, bad_in_message, '?');
}

/* Finds the last dot that begins an extension of at most 10 characters, or NULL. */
static char *extension(char *name)
{
    char *dot = strrchr(name, '.');

    return dot && dot != name && strlen(dot) <= 11 && !strchr(dot, ' ') ? dot : NULL;
}

void text_cut_extension(char *name)
{
    char *dot = extension(name);

    if (dot)
        *dot = '\0';
}

/* Whether the name is CON, NUL, COM1 and so on, with any extension. */
static bool is_reserved(const char *name)
{
    static const char *const plain[] = { "con", "prn", "aux", "nul" };
    size_t n = strcspn(name, ".");

    for (size_t i = 0; i < 4; i++)
        if (n == 3 && strncasecmp(name, plain[i], 3) == 0)
            return true;
    return n == 4 && name[3] >= '0' && name[3] <= '9' &&
           (strncasecmp(name, "com", 3) == 0 || strncasecmp(name, "lpt", 3) == 0);
}

void text_part_name(const char *text, size_t n, char *out, size_t max)
{
    size_t len;

    while (n && strchr(" .\t", text[0])) {
        text++;
        n--;
    }
    copy_replacing(text, n, out, max + 1, bad_in_name, '_');
    len = strlen(out);
    while (len && strchr(" .", out[len - 1]))
        out[--len] = '\0';
    if (is_reserved(out) && len + 1 <= max) {
        memmove(out + 1, out, len + 1);
        out[0] = '_';
    }
}

void text_file_name(const char *text, size_t n, char *out, size_t max)
{
    size_t path = n;

    while (path && text[path - 1] != '/' && text[path - 1] != '\\')
        path--;
    text_part_name(text + path, n - path, out, max);
}
