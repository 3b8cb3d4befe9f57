#include "layout/blocks/stacking.h"

#include <stdlib.h>

#include "layout/blocks/drawings.h"
#include "layout/page/areas.h"

#define THIN 3 /* points: lines hide nothing */
#define EDGE 1 /* points: pictures whose edges meet are not over each other */
#define MOST                                                                                       \
    1200           /* pictures at places; more than a content has (engine/page_text/page_reader.c) \
                    */
#define PASSES   4 /* one picture over the other, and that over a third */
#define SLIGHTLY 1 /* points that a picture may lie outside of what shows it */

static const struct page_picture *picture_of(const struct block *block)
{
    return block->figure.picture;
}

static int by_order(const void *a, const void *b)
{
    uint32_t x = picture_of(a)->order, y = picture_of(b)->order;

    return x < y ? -1 : x > y;
}

static bool overlap(const struct area *a, const struct area *b)
{
    return areas_near(a, b, -EDGE);
}

/* Whether the drawing, though its last part was drawn later, is below the picture. */
static bool is_below(const struct page_content *content, const struct page_picture *drawing,
                     const struct page_picture *picture)
{
    return drawing->vector && !picture->vector && picture->order < drawing->order &&
           !drawings_cover(content, &picture->area, picture->order, &drawing->area);
}

/* Raises those that are above others, which were raised. */
static bool raise_over(const struct page_content *content, const struct page *page,
                       uint64_t *heights)
{
    bool raised = false;

    for (size_t i = 0; i < page->n_floats; i++)
        for (size_t k = 0; k < page->n_floats; k++) {
            const struct page_picture *upper = picture_of(&page->floats[i]);
            const struct page_picture *lower = picture_of(&page->floats[k]);

            if (i == k || heights[i] > heights[k] || !overlap(&upper->area, &lower->area))
                continue;
            if (is_below(content, lower, upper) ||
                (k < i && !is_below(content, upper, lower) && heights[i] < heights[k])) {
                heights[i] = heights[k] + 1;
                raised = true;
            }
        }
    return raised;
}

/* By insertion: nearly all are at their places. */
static void sort_heights(struct page *page, uint64_t *heights)
{
    for (size_t i = 1; i < page->n_floats; i++)
        for (size_t k = i; k > 0 && heights[k - 1] > heights[k]; k--) {
            struct block block = page->floats[k];
            uint64_t height = heights[k];

            page->floats[k] = page->floats[k - 1];
            page->floats[k - 1] = block;
            heights[k] = heights[k - 1];
            heights[k - 1] = height;
        }
}

void stacking_sort(const struct page_content *content, struct page *page)
{
    uint64_t heights[MOST];

    if (page->n_floats == 0 || page->n_floats > MOST)
        return;
    qsort(page->floats, page->n_floats, sizeof *page->floats, by_order);
    for (size_t i = 0; i < page->n_floats; i++)
        heights[i] = picture_of(&page->floats[i])->order;
    for (int pass = 0; pass < PASSES && raise_over(content, page, heights); pass++)
        ;
    sort_heights(page, heights);
}

bool stacking_is_mixed(const struct page_content *content, const struct drawing *drawing)
{
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct page_picture *picture = &content->pictures[i];

        if (!picture->vector && picture->order < drawing->order &&
            overlap(&picture->area, &drawing->area) &&
            drawings_cover(content, &picture->area, picture->order, &drawing->area))
            return true;
    }
    return false;
}

static bool is_shown(const struct page_content *content, const struct page_picture *picture)
{
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct page_picture *drawing = &content->pictures[i];

        if (drawing->whole && drawing != picture && drawing->order > picture->order &&
            areas_hold(&drawing->area, &picture->area, SLIGHTLY) &&
            drawings_cover(content, &picture->area, picture->order, &drawing->area))
            return true;
    }
    return false;
}

void stacking_drop_shown(struct page_content *content, struct page *page)
{
    size_t kept = 0;

    for (size_t i = 0; i < page->n_floats; i++) {
        /* The layout borrows pictures from the content, which owns them. */
        struct page_picture *picture =
            &content->pictures[picture_of(&page->floats[i]) - content->pictures];

        if (picture->chart || picture->vector || page->floats[i].figure.pale ||
            !is_shown(content, picture)) {
            page->floats[kept++] = page->floats[i];
            continue;
        }
        free(picture->bytes);
        picture->bytes = NULL;
        picture->n_bytes = 0;
    }
    page->n_floats = kept;
}

static bool is_floating(const struct page *page, const struct page_picture *picture)
{
    for (size_t i = 0; i < page->n_floats; i++)
        if (picture_of(&page->floats[i]) == picture)
            return true;
    return false;
}

/* Whether cells, paragraphs or pictures in the text would hide what is below the text there. */
static bool is_hidden(const struct page_content *content, const struct page *page,
                      const struct page_picture *picture)
{
    for (size_t i = 0; i < content->n_fills; i++) {
        const struct fill *fill = &content->fills[i];

        if (fill->claimed_by && !fill->stroked && fill->color != 0xffffff &&
            area_width(&fill->area) > THIN && area_height(&fill->area) > THIN &&
            areas_near(&picture->area, &fill->area, 0))
            return true;
    }
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct page_picture *other = &content->pictures[i];

        if (other != picture && other->bytes && other->order < picture->order &&
            overlap(&other->area, &picture->area) && !is_below(content, picture, other) &&
            !is_floating(page, other))
            return true;
    }
    return false;
}

void stacking_bring_front(const struct page_content *content, struct page *page)
{
    for (size_t i = 0; i < page->n_floats; i++) {
        struct figure *figure = &page->floats[i].figure;
        bool words = false;

        if (!is_hidden(content, page, figure->picture))
            continue;
        for (size_t k = 0; k < page->n_words && !words; k++)
            words = areas_near(&figure->picture->area, &page->words[k].area, 0);
        figure->front = !words;
    }
}
