#include "engine/mupdf/page_selection.h"

#include <stdio.h>
#include <stdlib.h>

#include "declare/value/page_list.h"
#include "engine/mupdf/engine.h"

int page_selection_open(struct page_selection *selection, const struct mupdf_document *doc,
                        const char *text, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    size_t n = 0;

    if (page_list_resolve(text, doc->n_pages, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(doc->run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", doc->n_pages);
    if (list.n_pages > TOOL_PARTS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there would be %zu pictures, more than %d",
                       list.n_pages, TOOL_PARTS);
    selection->pages = calloc(list.n_pages, sizeof *selection->pages);
    if (!selection->pages)
        return engine_no_memory(err);
    for (size_t i = 0; i < list.n_items; i++)
        for (size_t k = 0; k < list.items[i].n; k++)
            selection->pages[n++] = list.items[i].pages[k];
    selection->n = n;
    selection->digits = 3;
    for (size_t most = 1000; doc->n_pages >= most; most *= 10)
        selection->digits++;
    return 0;
}

void page_selection_free(struct page_selection *selection)
{
    free(selection->pages);
    selection->pages = NULL;
}

void page_selection_name(const struct page_selection *selection, const char *stem, size_t page,
                         const char *extension, char *out, size_t cap)
{
    snprintf(out, cap, "%s_%0*zu.%s", stem, selection->digits, page + 1, extension);
}
