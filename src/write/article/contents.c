#include "write/article/contents.h"

#include <stdlib.h>

void contents_add(struct contents *contents, int level, const char *id, const char *text, size_t n)
{
    struct buf copy = BUF_EMPTY;

    if (contents->n == contents->cap) {
        size_t cap = contents->cap ? 2 * contents->cap : 32;
        void *wider = reallocarray(contents->items, cap, sizeof *contents->items);

        if (!wider)
            return;
        contents->items = wider;
        contents->cap = cap;
    }
    buf_put(&copy, text, n);
    contents->items[contents->n] =
        (struct contents_item){ .level = level, .id = id, .n_text = copy.len };
    contents->items[contents->n].text = buf_take(&copy);
    if (contents->items[contents->n].text)
        contents->n++;
}

/* Writes an item and leaves it open, for those below it. */
static void put_item(const struct contents_item *item, struct buf *out)
{
    buf_printf(out, "<li><a href=\"#%s\"><span>", item->id);
    for (size_t i = 0; i < item->n_text; i++)
        buf_put_markup(out, item->text[i]);
    buf_puts(out, "</span> <span class=\"page\"></span></a>");
}

void contents_write(const struct contents *contents, int depth, bool titled, struct buf *out)
{
    int levels[6];
    int open = 0;

    for (size_t i = titled; i < contents->n; i++) {
        const struct contents_item *item = &contents->items[i];

        if (item->level > depth)
            continue;
        if (open == 0)
            buf_puts(out, "<nav class=\"contents\">\n");
        while (open > 1 && levels[open - 1] > item->level) {
            buf_puts(out, "</li></ul>");
            open--;
        }
        if (open > 0 && (levels[open - 1] >= item->level)) {
            buf_puts(out, "</li>\n");
            levels[open - 1] = item->level;
        } else {
            buf_puts(out, "<ul>\n");
            levels[open++] = item->level;
        }
        put_item(item, out);
    }
    if (open > 0) {
        while (open-- > 0)
            buf_puts(out, "</li></ul>");
        buf_puts(out, "\n</nav>\n");
    }
}

void contents_free(struct contents *contents)
{
    for (size_t i = 0; i < contents->n; i++)
        free(contents->items[i].text);
    free(contents->items);
    *contents = (struct contents){ 0 };
}
