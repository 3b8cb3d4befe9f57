#include "server/api/range.h"

#include <string.h>
#include <strings.h>

#include "base/num.h"

enum range range_parse(const char *header, int64_t total, int64_t *first, int64_t *length)
{
    const char *dash;
    int64_t from = 0, to = 0;
    size_t n_from, n_to;

    if (!header || strncasecmp(header, "bytes=", 6) != 0)
        return RANGE_NONE;
    header += 6;
    header += strspn(header, " \t");
    dash = strchr(header, '-');
    if (!dash || strchr(header, ','))
        return RANGE_NONE;
    n_from = (size_t) (dash - header);
    n_to = strcspn(dash + 1, " \t");
    if ((n_from && !num_parse_i64(header, n_from, 0, INT64_MAX, &from)) ||
        (n_to && !num_parse_i64(dash + 1, n_to, 0, INT64_MAX, &to)) || (!n_from && !n_to) ||
        (n_from && n_to && to < from))
        return RANGE_NONE;
    if (!n_from) { /* the last `to` bytes */
        if (to == 0 || total == 0)
            return RANGE_BAD;
        from = to < total ? total - to : 0;
        to = total - 1;
    } else if (!n_to || to >= total) {
        to = total - 1;
    }
    if (from >= total)
        return RANGE_BAD;
    *first = from;
    *length = to - from + 1;
    return RANGE_PART;
}
