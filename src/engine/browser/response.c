#include "engine/browser/response.h"

#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/scope.h"

/* What concerned the connection, or the coding that was undone. */
static bool is_left_out(const char *line, size_t n)
{
    static const char *const names[] = { "Connection:", "Content-Encoding:",  "Content-Length:",
                                         "Keep-Alive:", "Transfer-Encoding:", "Trailer:",
                                         "Upgrade:" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (n >= strlen(names[i]) && strncasecmp(line, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool read_status(struct response *response, const char *line, size_t n)
{
    const char *blank = memchr(line, ' ', n);
    int64_t status;

    if (!blank || (size_t) (line + n - blank) < 4 ||
        !num_parse_i64(blank + 1, 3, 200, 599, &status))
        return false;
    response->status = (int) status;
    return true;
}

static void add_header(struct response *response, const char *line, size_t n)
{
    const char *colon = memchr(line, ':', n);
    int status = response->status;

    if (!colon || colon == line || is_left_out(line, n) || memchr(line, '\0', n))
        return;
    if (n > 9 && strncasecmp(line, "Location:", 9) == 0)
        response->redirect =
            status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    buf_put(&response->headers, line, n);
    buf_put(&response->headers, "", 1);
}

bool response_read(struct response *response, const struct buf *bytes)
{
    const char *at = bytes->data, *end = at + bytes->len;
    bool first = true;

    *response = (struct response){ .headers = BUF_EMPTY };
    while (at && at < end) {
        const char *feed = memchr(at, '\n', (size_t) (end - at));
        size_t n = feed ? (size_t) (feed - at) : 0;

        if (!feed)
            return false;
        n -= n > 0 && at[n - 1] == '\r';
        if (n == 0 && !first) {
            response->body = feed + 1;
            response->n_body = (size_t) (end - feed - 1);
            return !response->headers.failed;
        }
        if (first && !read_status(response, at, n))
            return false;
        if (!first)
            add_header(response, at, n);
        first = false;
        at = feed + 1;
    }
    return false;
}

void response_free(struct response *response)
{
    buf_free(&response->headers);
}
