#include "declare/tool_run/page_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char more[] = "...";

struct range {
    size_t first, last;
};

/* Reads "3" or "3-5" and the comma after it. */
static struct range next_range(const char **list)
{
    char *end;
    struct range range = { .first = strtoul(*list, &end, 10) };

    range.last = *end == '-' ? strtoul(end + 1, &end, 10) : range.first;
    *list = end + strcspn(end, ",");
    *list += **list == ',';
    return range;
}

bool page_numbers_shorten(const char *list, char *out, size_t size)
{
    size_t n = 0;

    if (strlen(list) < size) {
        memcpy(out, list, strlen(list) + 1);
        return true;
    }
    while (*list) {
        struct range range = next_range(&list);
        char said[48];

        for (const char *rest = list; *rest; list = rest) {
            struct range next = next_range(&rest);
            if (next.first != range.last + 1)
                break;
            range.last = next.last;
        }
        int length =
            range.first == range.last
                ? snprintf(said, sizeof said, "%s%zu", n ? "," : "", range.first)
                : snprintf(said, sizeof said, "%s%zu-%zu", n ? "," : "", range.first, range.last);
        /* There is room for the sign of more after each but the last. */
        if (n + (size_t) length + (*list ? sizeof more : 1) > size) {
            memcpy(out + n, more, sizeof more);
            return false;
        }
        memcpy(out + n, said, (size_t) length + 1);
        n += (size_t) length;
    }
    return true;
}

const char *page_numbers_said(const char *list, char *out, size_t size)
{
    page_numbers_shorten(list, out, size);
    return out;
}
