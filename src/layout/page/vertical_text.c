#include "layout/page/vertical_text.h"

#include <math.h>

#include "layout/page/words.h"

#define LEAST   8     /* characters of vertical writing on a page */
#define ASIDE   0.25F /* sizes by which the centres of two characters of a column differ, at most */
#define NEAREST 0.7F  /* sizes between their baselines, at least */
#define FAR     2.2F  /* and at most */
#define ABOVE   0.88F /* sizes of a character above its baseline */
#define MIDDLE  0.38F /* from the middle of a column to the baseline that it gets */

/* Whether a character is right below another one. */
static bool is_below(const struct glyph *a, const struct glyph *b)
{
    float aside = (a->x0 + a->x1 - b->x0 - b->x1) / 2, down = b->base - a->base;

    return !((a->flags | b->flags) & GLYPH_ROTATED) && fabsf(aside) < ASIDE * a->size &&
           down > NEAREST * a->size && down < FAR * a->size;
}

/* Whether most characters of the page are in columns of which each is below the one before it in
 * the file. */
static bool is_vertical(const struct page_content *content)
{
    const struct glyph *before = NULL;
    size_t columns = 0, all = 0;

    for (size_t i = 0; i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];

        if (glyph->flags & GLYPH_SPACE)
            continue;
        all++;
        columns += before && is_cjk(glyph->code) && is_below(before, glyph);
        before = glyph;
    }
    return columns >= LEAST && columns * 2 > all;
}

static void turn_area(const struct page_content *content, struct area *area)
{
    *area =
        (struct area){ area->y0, content->width - area->x1, area->y1, content->width - area->x0 };
}

/* Characters that are upright in their column become those of a line, and those that are on their
 * side in it, as Latin ones, become upright. */
static void turn_glyph(const struct page_content *content, struct glyph *glyph)
{
    float size = glyph->size, middle = (glyph->x0 + glyph->x1) / 2;

    if (glyph->flags & GLYPH_ROTATED) {
        if (fabsf(glyph->angle - (float) M_PI / 2) > 0.05F)
            return;
        glyph->base += content->width;
    } else {
        glyph->x0 = glyph->base - ABOVE * size;
        glyph->x1 = glyph->x0 + size;
        glyph->base = content->width - middle + MIDDLE * size;
        glyph->width = 0;
    }
    glyph->angle = 0;
    glyph->flags = (uint16_t) (glyph->flags & ~GLYPH_ROTATED);
}

/* An area that stays upright, around its place on a page of this width that is turned. */
static struct area upright(const struct area *area, float width)
{
    float w = area_width(area) / 2, h = area_height(area) / 2;
    float x = (area->y0 + area->y1) / 2, y = width - (area->x0 + area->x1) / 2;

    return (struct area){ x - w, y - h, x + w, y + h };
}

void vertical_text_turn(struct page_content *content)
{
    float width = content->width;

    if (!is_vertical(content))
        return;
    for (size_t i = 0; i < content->n_glyphs; i++)
        turn_glyph(content, &content->glyphs[i]);
    for (size_t i = 0; i < content->n_fills; i++)
        turn_area(content, &content->fills[i].area);
    for (size_t i = 0; i < content->n_pictures; i++)
        content->pictures[i].area = upright(&content->pictures[i].area, width);
    for (size_t i = 0; i < content->n_links; i++)
        turn_area(content, &content->links[i].area);
    for (size_t i = 0; i < content->n_notes; i++)
        turn_area(content, &content->notes[i].area);
    for (size_t i = 0; i < content->n_fields; i++)
        turn_area(content, &content->fields[i].area);
    for (size_t i = 0; i < content->n_unread; i++)
        turn_area(content, &content->unread[i]);
    for (size_t i = 0; i < content->n_drawings; i++)
        turn_area(content, &content->drawings[i].area);
    content->width = content->height;
    content->height = width;
    content->vertical = true;
}

struct area vertical_text_drawn(const struct page_content *content, const struct area *area)
{
    if (!content->vertical)
        return *area;
    return (struct area){ content->height - area->y1, area->x0, content->height - area->y0,
                          area->x1 };
}

struct area vertical_text_placed(const struct page_content *content, const struct area *area)
{
    return content->vertical ? upright(area, content->height) : *area;
}
