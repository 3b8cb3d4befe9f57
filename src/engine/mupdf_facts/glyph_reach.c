#include "engine/mupdf_facts/glyph_reach.h"

#include <math.h>

#include "base/list.h"
#include "engine/mupdf_facts/font_extent.h"

#define USUAL_ABOVE 0.8F
#define USUAL_BELOW 0.22F
#define MOST        4.0F /* sizes: letters that are stretched upwards */
#define RECENT      16   /* reaches that are compared: text changes between a few fonts */
#define SAME        0.004F

/* The height of the text's size by its size, which is also a measure of its width: letters can be
 * narrower or wider than their font's. */
static float stretch_of(fz_context *ctx, const fz_stext_char *c)
{
    float height = fz_font_ascender(ctx, c->font) - fz_font_descender(ctx, c->font);
    float drawn = hypotf(c->quad.ul.x - c->quad.ll.x, c->quad.ul.y - c->quad.ll.y);

    if (!(height > 0.05F) || !(c->size > 0) || !(drawn > 0))
        return 1;
    return fminf(drawn / (height * c->size), MOST);
}

static bool add_reach(struct page_content *content, struct reach reach)
{
    if (content->n_reaches == UINT16_MAX ||
        !LIST_ROOM(content->reaches, content->n_reaches, content->cap_reaches))
        return false;
    content->reaches[content->n_reaches++] = reach;
    return true;
}

uint16_t glyph_reach_find(fz_context *ctx, struct page_content *content, const fz_stext_char *c)
{
    struct font_extent extent = font_extent_find(ctx, c->font);
    float stretch = stretch_of(ctx, c);
    struct reach reach = { extent.ascent * stretch, extent.descent * stretch, stretch };

    if (content->n_reaches == 0 &&
        !add_reach(content, (struct reach){ USUAL_ABOVE, USUAL_BELOW, 1 }))
        return 0;
    for (size_t i = content->n_reaches, k = 0; i-- > 0 && k < RECENT; k++)
        if (fabsf(content->reaches[i].above - reach.above) < SAME &&
            fabsf(content->reaches[i].below - reach.below) < SAME &&
            fabsf(content->reaches[i].tall - reach.tall) < SAME)
            return (uint16_t) i;
    return add_reach(content, reach) ? (uint16_t) (content->n_reaches - 1) : 0;
}
