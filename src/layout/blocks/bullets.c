#include "layout/blocks/bullets.h"

#include <math.h>
#include <stdlib.h>

#define LEAST   0.2F /* sizes of the text */
#define MOST    0.7F
#define NEAR    0.2F /* to the text, at least and at most */
#define FAR     3.0F
#define HIGHEST 20  /* points */
#define MANY    500 /* of a page's fills or drawn parts */
#define LETTERS 20000

/* The character a line begins with, right of the picture and as high as it; NULL. */
static const struct glyph *text_after(const struct page_content *content, const struct area *area)
{
    const struct glyph *found = NULL;
    float middle = (area->y0 + area->y1) / 2;

    for (size_t i = 0; i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];
        float gap = glyph->x0 - area->x1, size = glyph->size;

        if (glyph->flags & (GLYPH_SPACE | GLYPH_ROTATED | GLYPH_HIDDEN) ||
            fabsf(glyph->base - 0.3F * size - middle) > 0.25F * size || gap > FAR * size)
            continue;
        /* Something near it on its left, or upon it. */
        if (gap < NEAR * size && gap > -2 * FAR * size)
            return NULL;
        if (gap > 0 && (!found || glyph->x0 < found->x0))
            found = glyph;
    }
    return found;
}

static bool is_bullet(const struct area *area, const struct glyph *text)
{
    float w = area_width(area), h = area_height(area);

    return fabsf(w - h) < 0.2F * h + 0.3F && h > LEAST * text->size && h < MOST * text->size;
}

/* Whether a mark is part of a larger drawing or picture, such as a logo: one that does not go on
 * below the text, as a background does. */
static bool is_detail(const struct page_content *content, const struct area *mark,
                      const struct glyph *text)
{
    float more = 0.3F * area_height(mark);

    for (size_t i = 0; i < content->n_drawings + content->n_pictures; i++) {
        const struct area *a = i < content->n_drawings
                                   ? &content->drawings[i].area
                                   : &content->pictures[i - content->n_drawings].area;

        if (a->x0 < mark->x1 && a->x1 > mark->x0 && a->y0 < mark->y1 && a->y1 > mark->y0 &&
            a->x1 < text->x1 &&
            (a->x0 < mark->x0 - more || a->x1 > mark->x1 + more || a->y0 < mark->y0 - more ||
             a->y1 > mark->y1 + more))
            return true;
    }
    return false;
}

static bool add_bullet(struct page_content *content, const struct area *area, struct glyph text)
{
    if (content->n_glyphs >= content->cap_glyphs) {
        size_t cap = content->n_glyphs * 2 + 16;
        struct glyph *more = reallocarray(content->glyphs, cap, sizeof *more);

        if (!more)
            return false;
        content->glyphs = more;
        content->cap_glyphs = cap;
    }
    text.code = 0x2022;
    text.x0 = area->x0;
    text.x1 = area->x1;
    text.width = 0;
    text.flags = GLYPH_FIRST;
    content->glyphs[content->n_glyphs++] = text;
    return true;
}

static bool becomes_bullet(struct page_content *content, const struct area *area)
{
    const struct glyph *text = area_height(area) < HIGHEST ? text_after(content, area) : NULL;

    return text && is_bullet(area, text) && !is_detail(content, area, text) &&
           add_bullet(content, area, *text);
}

void bullets_find(struct page_content *content)
{
    size_t kept = 0;

    /* More is a drawing. */
    if (content->n_drawings > MANY || content->n_fills > MANY || content->n_glyphs > LETTERS)
        return;
    for (size_t i = 0; i < content->n_drawings; i++)
        if (!becomes_bullet(content, &content->drawings[i].area))
            content->drawings[kept++] = content->drawings[i];
    content->n_drawings = kept;
    for (size_t i = 0; i < content->n_fills; i++) {
        struct fill *fill = &content->fills[i];

        if (!fill->stroked && fill->color != 0xffffff && becomes_bullet(content, &fill->area))
            claim_fill(fill, OWNER_BULLET);
    }
}
