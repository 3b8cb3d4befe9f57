#include "server/api/page_query.h"

#include <string.h>

#include "base/id.h"
#include "base/num.h"

#define LIST_PRESET 20
#define LIST_MAX    100

int page_query_read(const struct http_request *req, const char **before, size_t *limit,
                    struct err *err)
{
    const char *limit_text = http_query(req, "limit"), *cursor = http_query(req, "cursor");
    int64_t n = LIST_PRESET;

    if (limit_text && !num_parse_i64(limit_text, strlen(limit_text), 1, LIST_MAX, &n))
        return err_field(err, ERR_INVALID_PARAMETER, "limit", "limit must be 1 to %d", LIST_MAX);
    *limit = (size_t) n;
    *before = cursor && *cursor ? cursor : NULL;
    if (*before && !id_is_valid(*before))
        return err_field(err, ERR_INVALID_PARAMETER, "cursor",
                         "cursor must be a nextCursor of an earlier answer");
    return 0;
}
