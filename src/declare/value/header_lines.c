#include "declare/value/header_lines.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"

#define MAX_HEADERS      16
#define MAX_HEADER_BYTES 8192 /* of all lines */

/* RFC 9110, 5.6.2. */
static const char token[] = "!#$%&'*+-.^_`|~0123456789"
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* What belongs to the connection is not the client's to say (RFC 9110, 7.6.1). */
static bool is_reserved(const char *name, size_t n)
{
    static const char *const reserved[] = {
        "Host",           "Connection",
        "Content-Length", "Transfer-Encoding",
        "Expect",         "Accept-Encoding",
        "Range",          "Upgrade",
        "Trailer",        "TE",
        "Keep-Alive",     "If-Range",
    };

    for (size_t i = 0; i < COUNT(reserved); i++)
        if (strlen(reserved[i]) == n && strncasecmp(name, reserved[i], n) == 0)
            return true;
    return n >= 6 && strncasecmp(name, "Proxy-", 6) == 0;
}

/* Of what the client gave. */
struct given {
    const char *field;
    enum err_code code;
};

static int check_header(const struct given *given, const char *name, const json_t *value,
                        struct err *err)
{
    const char *text = json_string_value(value);

    if (!*name || strspn(name, token) != strlen(name))
        return err_field(err, given->code, given->field, "%s has a name that is not a header's",
                         given->field);
    if (is_reserved(name, strlen(name)))
        return err_field(err, given->code, given->field,
                         "%s cannot set %s: it belongs to the connection", given->field, name);
    if (!text || json_string_length(value) != strlen(text))
        return err_field(err, given->code, given->field, "the value of %s in %s must be a text",
                         name, given->field);
    for (; *text; text++)
        if ((unsigned char) *text < ' ' || *text == 0x7f)
            return err_field(err, given->code, given->field,
                             "the value of %s in %s has a control character", name, given->field);
    return 0;
}

static int add_headers(const struct given *given, const json_t *object, struct buf *lines,
                       struct err *err)
{
    const char *name;
    json_t *value;

    if (!json_is_object(object) || json_object_size(object) > MAX_HEADERS)
        return err_field(err, given->code, given->field,
                         "%s must be a JSON object of at most %d names and texts", given->field,
                         MAX_HEADERS);
    json_object_foreach((json_t *) (uintptr_t) object, name, value)
    {
        if (check_header(given, name, value, err) < 0)
            return -1;
        buf_printf(lines, "%s: %s\n", name, json_string_value(value));
    }
    if (lines->len > MAX_HEADER_BYTES)
        return err_field(err, given->code, given->field, "%s may have at most %d bytes",
                         given->field, MAX_HEADER_BYTES);
    buf_put(lines, "", 1);
    return lines->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

char *header_lines_read(const char *field, enum err_code code, const char *value, struct err *err)
{
    const struct given given = { field, code };
    json_t *object = json_loads(value, JSON_REJECT_DUPLICATES, NULL);
    AUTO_BUF struct buf lines = BUF_EMPTY;
    char *text = NULL;
    int done = add_headers(&given, object, &lines, err);

    json_decref(object);
    if (done == 0 && !(text = strdup(lines.data)))
        err_sys(err, "headers");
    if (lines.data)
        explicit_bzero(lines.data, lines.len);
    return text;
}

bool header_lines_is_free(const char *line, size_t n)
{
    const char *colon = memchr(line, ':', n);
    size_t name = colon ? (size_t) (colon - line) : 0;

    if (name == 0 || is_reserved(line, name))
        return false;
    for (size_t i = 0; i < name; i++)
        if (!line[i] || !strchr(token, line[i]))
            return false;
    for (size_t i = name; i < n; i++)
        if ((unsigned char) line[i] < ' ' || line[i] == 0x7f)
            return false;
    return true;
}

bool header_lines_next_cookie(const char **at, const char **cookie, size_t *n, size_t *n_name)
{
    const char *start = *at + strspn(*at, "; "), *equals;
    size_t length = strcspn(start, ";");

    if (length == 0)
        return false;
    *at = start + length;
    while (start[length - 1] == ' ')
        length--;
    equals = memchr(start, '=', length);
    *cookie = start;
    *n = length;
    *n_name = equals ? (size_t) (equals - start) : 0;
    return true;
}

int header_lines_check_cookies(const char *field, const char *value, struct err *err)
{
    const char *at = value, *cookie;
    size_t n, n_name, found = 0;

    for (const char *c = value; *c; c++)
        if (*c < ' ' || *c > '~')
            return err_field(err, ERR_INVALID_PARAMETER, field,
                             "%s has a character that cookies cannot have", field);
    for (; header_lines_next_cookie(&at, &cookie, &n, &n_name); found++)
        if (n_name == 0 || strspn(cookie, token) < n_name)
            return err_field(err, ERR_INVALID_PARAMETER, field,
                             "%s must be cookies as a Cookie header has them, such as "
                             "session=abc; theme=dark",
                             field);
    return found ? 0 : err_field(err, ERR_INVALID_PARAMETER, field, "%s has no cookies", field);
}
