#include "server/http/target.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"

/* Checks that every '%' is followed by two hex digits that are not both 0, and that no byte is a
 * blank, a control character or the '#' of a fragment, which does not belong in a request. */
static int check(const char *text, struct err *err)
{
    for (const char *p = text; *p; p++) {
        if ((unsigned char) *p <= ' ' || *p == 0x7f || *p == '#')
            return err_set(err, ERR_INVALID_REQUEST,
                           "the address holds a character that must be escaped");
        if (*p != '%')
            continue;
        if (num_hex_digit(p[1]) < 0 || num_hex_digit(p[2]) < 0)
            return err_set(err, ERR_INVALID_REQUEST, "the address holds a malformed escape");
        if (p[1] == '0' && p[2] == '0')
            return err_set(err, ERR_INVALID_REQUEST, "the address holds an escaped NUL");
    }
    return 0;
}

size_t target_decode(const char *text, size_t n, char *out)
{
    char *to = out;

    for (size_t i = 0; i < n; i++) {
        if (text[i] == '%' && i + 2 < n) {
            *to++ = (char) (num_hex_digit(text[i + 1]) * 16 + num_hex_digit(text[i + 2]));
            i += 2;
        } else {
            *to++ = text[i];
        }
    }
    *to = '\0';
    return (size_t) (to - out);
}

/* "a=1&b" becomes a NUL 1 NUL b NUL NUL: at most one byte longer, for the '=' that is missing. */
static size_t decode_query(char *text, char *out)
{
    char *to = out;

    for (char *p = text, *next; p; p = next) {
        size_t n = strcspn(p, "&"), name;

        next = p[n] ? p + n + 1 : NULL;
        if (n == 0)
            continue;
        for (size_t i = 0; i < n; i++) /* forms encode a blank as +; a real '+' is %2B */
            if (p[i] == '+')
                p[i] = ' ';
        name = strcspn(p, "=&");
        to += target_decode(p, name, to) + 1;
        if (name < n)
            name++;
        to += target_decode(p + name, n - name, to) + 1;
    }
    return (size_t) (to - out);
}

/* Skips "http://host" of the absolute-form, which servers must accept (RFC 9112 section 3.2.2). */
static const char *skip_authority(const char *text)
{
    static const char *const schemes[] = { "http://", "https://" };

    for (size_t i = 0; i < 2; i++)
        if (strncasecmp(text, schemes[i], strlen(schemes[i])) == 0) {
            text += strlen(schemes[i]);
            return text + strcspn(text, "/?");
        }
    return text;
}

int target_read(struct target *target, const char *text, struct err *err)
{
    const char *path = skip_authority(text);
    bool bare = path != text && *path != '/'; /* "http://host" means its root */
    size_t n, path_len;
    char *query;

    if (check(path, err) < 0)
        return -1;
    if (*path != '/' && !bare)
        return err_set(err, ERR_INVALID_REQUEST, "the address must begin with a slash");
    n = strlen(path) + 2;
    target->raw = malloc(4 * n);
    if (!target->raw)
        return err_set(err, ERR_INTERNAL, "out of memory");
    target->raw[0] = '/';
    memcpy(target->raw + bare, path, n - 1);
    target->path = target->raw + n;
    target->args = target->path + n;

    query = strchr(target->raw, '?');
    if (query)
        *query++ = '\0';
    path_len = strlen(target->raw);
    target_decode(target->raw, path_len, target->path);
    if (query) {
        target->query = malloc(2 * strlen(query) + 2);
        if (!target->query)
            return err_set(err, ERR_INTERNAL, "out of memory");
        target->query_len = decode_query(query, target->query);
    }
    return 0;
}

void target_free(struct target *target)
{
    free(target->raw);
    free(target->query);
    *target = (struct target){ 0 };
}

const char *target_query(const struct target *target, const char *name)
{
    const char *p = target->query;

    while (p && p < target->query + target->query_len) {
        const char *value = p + strlen(p) + 1;

        if (strcmp(p, name) == 0)
            return value;
        p = value + strlen(value) + 1;
    }
    return NULL;
}

static bool is_one_of(const char *names, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = names + strspn(names, " "); *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");

        if (len == n && memcmp(at, name, n) == 0)
            return true;
        at += len;
    }
    return false;
}

/* The part of a name from outside that a message repeats: at most 40 bytes, and printable ASCII
 * only. */
static void shorten(const char *name, char out[static 44])
{
    size_t n = 0;

    for (; name[n] && n < 40; n++)
        out[n] = name[n] > ' ' && name[n] < 0x7f && name[n] != '"' ? name[n] : '?';
    snprintf(out + n, 4, "%s", name[n] ? "..." : "");
}

int target_query_check(const struct target *target, const char *names, struct err *err)
{
    char shown[44];

    for (const char *p = target->query; p && p < target->query + target->query_len;) {
        const char *value = p + strlen(p) + 1;

        shorten(p, shown);
        if (!is_one_of(names, p))
            return err_field(err, ERR_UNKNOWN_FIELD, shown,
                             *names ? "there is no query parameter \"%s\" here: there are %s"
                                    : "there is no query parameter \"%s\": this address takes none",
                             shown, names);
        if (target_query(target, p) != value)
            return err_field(err, ERR_INVALID_PARAMETER, shown,
                             "the query parameter %s is given twice", shown);
        p = value + strlen(value) + 1;
    }
    return 0;
}
