#include "server/api/prefer.h"

#include <string.h>
#include <strings.h>

#include "base/num.h"

#define BLANKS " \t"

/* The end of the preference that begins here: a comma outside of quotes, or the text's end. */
static const char *end_of(const char *text)
{
    bool quoted = false;

    for (; *text && (quoted || *text != ','); text++) {
        if (quoted && *text == '\\' && text[1])
            text++;
        else if (*text == '"')
            quoted = !quoted;
    }
    return text;
}

/* Of "wait=10", with blanks and quotes where the grammar allows them; -1 if it is another one. */
static int64_t read_wait(const char *text)
{
    int64_t seconds;
    size_t n;

    text += strspn(text, BLANKS);
    if (strncasecmp(text, "wait", 4) != 0)
        return -1;
    text += 4;
    text += strspn(text, BLANKS);
    if (*text++ != '=')
        return -1;
    text += strspn(text, BLANKS);
    text += *text == '"';
    n = strspn(text, "0123456789");
    if (n == 0)
        return -1;
    if (!num_parse_i64(text, n, 0, PREFER_WAIT_MAX, &seconds))
        return PREFER_WAIT_MAX; /* only too large a number is left */
    return seconds;
}

int64_t prefer_wait(const char *text)
{
    /* Of several the first counts. */
    while (text && *text) {
        int64_t seconds = read_wait(text);

        if (seconds >= 0)
            return seconds;
        text = end_of(text);
        text += *text == ',';
    }
    return 0;
}

int prefer_wait_query(const struct http_request *req, int64_t *seconds, struct err *err)
{
    const char *text = http_query(req, "wait");

    if (text && !num_parse_i64(text, strlen(text), 0, PREFER_WAIT_MAX, seconds))
        return err_field(err, ERR_INVALID_PARAMETER, "wait", "wait must be 0 to %d seconds",
                         PREFER_WAIT_MAX);
    return 0;
}
