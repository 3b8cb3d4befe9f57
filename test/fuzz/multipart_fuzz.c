/*
 * Input: one byte for the size of the pieces, a Content-Type up to a line feed, the body. The
 * parser must tell the same of the body in one piece and in many.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "fuzz.h"
#include "server/multipart/multipart.h"

static int on_begin(void *arg, const struct multipart_part *part, struct err *err)
{
    (void) err;
    buf_printf(arg, "{%s|%s|%s}", part->name, part->filename ? part->filename : "-",
               part->content_type ? part->content_type : "-");
    return 0;
}

static int on_data(void *arg, const void *data, size_t n, struct err *err)
{
    (void) err;
    buf_put(arg, data, n);
    return 0;
}

static int on_end(void *arg, struct err *err)
{
    (void) err;
    buf_puts(arg, "{end}");
    return 0;
}

static const struct multipart_events events = { on_begin, on_data, on_end };
static const struct multipart_limits limits = {
    .max_fields = 8,
    .max_field_bytes = 200,
    .max_files = 8,
    .max_file_bytes = 1000,
    .max_total_bytes = 4000,
    .max_header_bytes = 500,
};

static void parse(const char *boundary, const uint8_t *body, size_t n, size_t piece,
                  struct buf *told)
{
    struct multipart *mp = multipart_new(boundary, &limits, &events, told);
    struct err err = { 0 };
    int result = 0;

    for (size_t at = 0; result == 0 && at < n; at += piece) {
        size_t take = piece < n - at ? piece : n - at;
        AUTO_FREE uint8_t *copy = malloc(take); /* so that a read past the piece is seen */

        memcpy(copy, body + at, take);
        result = multipart_feed(mp, copy, take, &err);
    }
    if (result == 0)
        result = multipart_finish(mp, &err);
    buf_printf(told, "=%d %d %s", result, (int) err.code, err.msg);
    multipart_free(mp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const uint8_t *line = n ? memchr(data + 1, '\n', n - 1) : NULL;
    AUTO_BUF struct buf whole = BUF_EMPTY, pieces = BUF_EMPTY;
    AUTO_FREE char *type = NULL;
    char boundary[MULTIPART_BOUNDARY];
    struct err err;

    if (!line)
        return 0;
    type = strndup((const char *) data + 1, (size_t) (line - data) - 1);
    if (!type || multipart_boundary(type, boundary, &err) < 0)
        return 0;
    n -= (size_t) (line + 1 - data);
    parse(boundary, line + 1, n, n ? n : 1, &whole);
    parse(boundary, line + 1, n, 1 + data[0] % 40, &pieces);
    if (whole.len != pieces.len || memcmp(whole.data, pieces.data, whole.len) != 0)
        abort();
    return 0;
}
