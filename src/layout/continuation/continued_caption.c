#include "layout/continuation/continued_caption.h"

#include <string.h>

#include "layout/page/words.h"
#include "layout/tables/continued_line.h"

#define LONGEST 200 /* bytes of such a line, at most */

static bool is_continued_caption(const struct block *block)
{
    const struct paragraph *p = &block->paragraph;
    char text[LONGEST];
    size_t n = 0;

    if (block->kind != BLOCK_PARAGRAPH || p->n_lines != 1)
        return false;
    for (size_t i = 0; i < p->n_runs; i++) {
        if (p->runs[i].len > LONGEST - n)
            return false;
        memcpy(text + n, p->runs[i].text, p->runs[i].len);
        n += p->runs[i].len;
    }
    return continued_line_says(text, n);
}

static struct block_list *outer_blocks(const struct page *page, bool last)
{
    struct section *section =
        page->n_sections ? &page->sections[last ? page->n_sections - 1 : 0] : NULL;

    return section && section->n_columns == 1 && !page->plain ? &section->blocks : NULL;
}

bool continued_caption_is(const struct page *page, bool last)
{
    const struct block_list *blocks = outer_blocks(page, last);

    return blocks && blocks->n > 1 &&
           is_continued_caption(&blocks->items[last ? blocks->n - 1 : 0]) &&
           blocks->items[last ? blocks->n - 2 : 1].kind == BLOCK_TABLE;
}

void continued_caption_remove(struct page *page, bool last)
{
    struct block_list *blocks = outer_blocks(page, last);

    if (!continued_caption_is(page, last))
        return;
    words_set_elsewhere(page, &blocks->items[last ? blocks->n - 1 : 0].paragraph.area, 1, true);
    blocks->n--;
    if (last)
        return;
    page->caption = blocks->items[0];
    page->captioned = true;
    memmove(blocks->items, blocks->items + 1, blocks->n * sizeof *blocks->items);
}

void continued_caption_part(struct page *page)
{
    struct block_list *blocks = outer_blocks(page, false);

    if (!page->captioned || !blocks)
        return;
    memmove(blocks->items + 1, blocks->items, blocks->n * sizeof *blocks->items);
    blocks->items[0] = page->caption;
    blocks->n++;
    page->captioned = false;
    words_set_elsewhere(page, &page->caption.paragraph.area, 1, false);
}
