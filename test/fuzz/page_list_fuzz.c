/*
 * Input: three bytes for the number of pages, a page list. A list whose syntax is right resolves to
 * pages there are, or to an error that speaks of them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "fuzz.h"

static void judge(const struct page_list *list, size_t n_pages)
{
    AUTO_FREE bool *map = NULL;
    struct err err;
    size_t n = 0;

    for (size_t i = 0; i < list->n_items; i++) {
        const struct page_item *item = &list->items[i];

        if (item->n == 0 || strlen(item->label) == 0)
            abort();
        for (size_t k = 0; k < item->n; k++)
            if (item->pages[k] >= n_pages)
                abort();
        n += item->n;
    }
    map = page_list_map(list, n_pages, &err);
    if (n == 0 || n != list->n_pages || n > PAGE_LIST_PAGES ||
        (map && !map[list->items[0].pages[0]]))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    AUTO_FREE char *text = n > 2 ? strndup((const char *) data + 3, n - 3) : NULL;
    struct err err;

    if (!text)
        return 0;
    size_t n_pages = ((size_t) data[0] << 16 | (size_t) data[1] << 8 | data[2]) % 100001;
    bool right = page_list_check(text, &err) == 0;
    if (page_list_resolve(text, n_pages, &list, &err) == 0) {
        if (!right)
            abort();
        judge(&list, n_pages);
    } else if (right && err.code != ERR_PAGE_OUT_OF_RANGE && err.code != ERR_LIMIT_EXCEEDED) {
        abort();
    }
    return 0;
}
