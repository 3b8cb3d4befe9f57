#include "server/api_submit/header_lines.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"

#define MAX_HEADERS      16
#define MAX_HEADER_BYTES 8192 /* of all lines */

/* What belongs to the connection is not the client's to say (RFC 9110, 7.6.1). */
static bool is_reserved(const char *name)
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
        if (strcasecmp(name, reserved[i]) == 0)
            return true;
    return strncasecmp(name, "Proxy-", 6) == 0;
}

/* Of what the client gave. */
struct given {
    const char *field;
    enum err_code code;
};

static int check_header(const struct given *given, const char *name, const json_t *value,
                        struct err *err)
{
    static const char token[] = "!#$%&'*+-.^_`|~0123456789"
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *text = json_string_value(value);

    if (!*name || strspn(name, token) != strlen(name))
        return err_field(err, given->code, given->field, "%s has a name that is not a header's",
                         given->field);
    if (is_reserved(name))
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
