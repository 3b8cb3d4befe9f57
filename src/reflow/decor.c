#include "reflow/decor.h"

#include "reflow/rules.h"

/* A line at the bottom of a link, wherever the words' baselines are. */
static bool is_links(const struct area *line, const struct area *link)
{
    return line->x0 > link->x0 - 3 && line->x1 < link->x1 + 3 && line->y0 > link->y0 &&
           line->y1 < link->y1 + 3;
}

static void draw_through(struct word *word, struct fill *fill)
{
    float y = (fill->area.y0 + fill->area.y1) / 2 - word->base;
    float x = (word->area.x0 + word->area.x1) / 2;

    if (x < fill->area.x0 || x > fill->area.x1)
        return;
    if (y > -0.02F * word->size &&
        (y < 0.24F * word->size || (word->link && is_links(&fill->area, &word->link->area))))
        word->underline = fill->used = true;
    else if (y < -0.15F * word->size && y > -0.45F * word->size)
        word->strike = fill->used = true;
}

static void draw_behind(struct word *word, struct fill *fill, const struct sheet *sheet)
{
    float h = area_height(&fill->area);

    if (h < 0.7F * word->size || h > 3.2F * word->size ||
        area_width(&fill->area) > 0.98F * sheet->width)
        return;
    if (!area_has(&fill->area, (word->area.x0 + word->area.x1) / 2, word->base - 0.3F * word->size))
        return;
    word->highlight = fill->color == 0xffffff ? STYLE_PLAIN : fill->color;
    word->behind = fill;
    fill->used = true;
}

void decor_find(struct sheet *sheet, struct word *words, size_t n)
{
    size_t work = 0;

    for (size_t i = 0; i < sheet->n_fills && work < 50000000; i++) {
        struct fill *fill = &sheet->fills[i];
        bool thin = area_height(&fill->area) <= RULE_WIDTH;

        work += n;
        for (size_t k = 0; k < n; k++) {
            if (words[k].turned || fill->area.y1 < words[k].area.y0 ||
                fill->area.y0 > words[k].area.y1 || fill->area.x1 < words[k].area.x0 ||
                fill->area.x0 > words[k].area.x1)
                continue;
            if (thin)
                draw_through(&words[k], fill);
            else if (!fill->stroked)
                draw_behind(&words[k], fill, sheet);
        }
    }
}
