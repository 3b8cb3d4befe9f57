#include "layout/blocks/figures.h"

/* Whether words of the text stand over it. */
static bool is_covered(const struct page *page, const struct area *area)
{
    for (size_t i = 0; i < page->n_words; i++) {
        const struct word *word = &page->words[i];

        if (!words_is_apart(word) &&
            area_has(area, (word->area.x0 + word->area.x1) / 2, word->base - 0.3F * word->size))
            return true;
    }
    return false;
}

void figures_float(struct page *page, const struct page_picture *picture)
{
    page->floats[page->n_floats++] =
        (struct block){ .kind = BLOCK_FIGURE, .figure = { .picture = picture, .floating = true } };
}

/* It is seen in the picture of a chart. */
static bool is_in_chart(const struct page_content *content, const struct page_picture *picture)
{
    const struct area *a = &picture->area;

    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct area *b = &content->pictures[i].area;

        if (content->pictures[i].chart && picture != &content->pictures[i] && a->x0 > b->x0 - 1 &&
            a->x1 < b->x1 + 1 && a->y0 > b->y0 - 1 && a->y1 < b->y1 + 1)
            return true;
    }
    return false;
}

void figures_charts(const struct figures_drawer *drawer, struct arena *arena,
                    struct page_content *content, struct word *words, size_t n)
{
    struct area areas[PAGE_CHARTS];
    size_t found = drawer->draw ? chart_find_all(arena, content, words, n, areas) : 0;

    for (size_t i = 0; i < found; i++) {
        struct page_picture *picture;

        if (!drawer->draw(drawer->hand, content, &areas[i]))
            continue;
        picture = &content->pictures[content->n_pictures - 1];
        picture->chart = true;
        chart_claim(arena, content, words, n, &areas[i], &picture->text);
    }
}

void figures_place(bool exact, struct arena *arena, const struct page_content *content,
                   struct page *page, struct item_list *items)
{
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct page_picture *picture = &content->pictures[i];
        struct block *block;

        if (is_in_chart(content, picture))
            continue;
        /* A scan of the text: it stays to be compared with, and pale, to be read over. */
        if (content->n_hidden * 2 > content->n_glyphs &&
            area_height(&picture->area) > 0.7F * content->height) {
            figures_float(page, picture);
            page->floats[page->n_floats - 1].figure.pale = true;
            continue;
        }
        /* Where nothing flows, a picture has its place as everything has. */
        if (exact || is_covered(page, &picture->area) ||
            area_height(&picture->area) > 0.8F * content->height ||
            area_height(&picture->area) < 12 || picture->area.y0 < page->margins.top - 4 ||
            picture->area.y1 > content->height - page->margins.bottom) {
            figures_float(page, picture);
            continue;
        }
        block = ARENA_NEW(arena, struct block);
        *block = (struct block){ .kind = BLOCK_FIGURE, .figure = { .picture = picture } };
        *ARENA_ADD(arena, items) = (struct item){ .area = picture->area, .block = block };
    }
}
