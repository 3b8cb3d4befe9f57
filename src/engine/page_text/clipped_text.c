#include "engine/page_text/clipped_text.h"
#include "base/list.h"

#include <math.h>

#define MOST_HIDDEN 2000 /* that are remembered of a page */
#define SAME_PLACE  1.5F /* points */

#define LOWEST  0.05F /* em above the baseline: a character is seen if its middle column, */
#define HIGHEST 0.55F /* between these heights, is not outside of the clip */

static bool is_seen(fz_context *ctx, const fz_text_span *span, const fz_text_item *item,
                    fz_matrix ctm, fz_rect clip)
{
    fz_matrix place = span->trm;
    float middle = fz_advance_glyph(ctx, span->font, item->gid, (int) span->wmode) / 2;
    fz_point low, high;

    place.e = item->x;
    place.f = item->y;
    place = fz_concat(place, ctm);
    low = fz_transform_point_xy(span->wmode ? 0 : middle, span->wmode ? -middle : LOWEST, place);
    high = fz_transform_point_xy(span->wmode ? 0 : middle, span->wmode ? -middle : HIGHEST, place);
    return !(fz_max(low.x, high.x) < clip.x0 || fz_min(low.x, high.x) > clip.x1 ||
             fz_max(low.y, high.y) < clip.y0 || fz_min(low.y, high.y) > clip.y1);
}

static void note_hidden(const fz_text_item *item, fz_matrix ctm, struct clipped_letters *hidden)
{
    if (item->ucs > ' ' && item->ucs != 0xa0 && hidden->n < MOST_HIDDEN &&
        LIST_ROOM(hidden->items, hidden->n, hidden->cap))
        hidden->items[hidden->n++] =
            (struct clipped_letter){ .code = (uint32_t) item->ucs,
                                     .at = fz_transform_point_xy(item->x, item->y, ctm) };
}

static size_t count_hidden(fz_context *ctx, const fz_text *text, fz_matrix ctm, fz_rect clip,
                           struct clipped_letters *hidden)
{
    size_t n = 0;

    for (const fz_text_span *span = text->head; span; span = span->next)
        for (int i = 0; i < span->len; i++)
            if (span->items[i].gid >= 0 && !is_seen(ctx, span, &span->items[i], ctm, clip)) {
                note_hidden(&span->items[i], ctm, hidden);
                n++;
            }
    return n;
}

/* The second and later characters of a ligature have no glyph, and go with the one before. */
static void copy_seen(fz_context *ctx, const fz_text_span *span, fz_matrix ctm, fz_rect clip,
                      fz_text *to)
{
    bool seen = true;

    for (int i = 0; i < span->len; i++) {
        const fz_text_item *item = &span->items[i];
        fz_matrix place = span->trm;

        if (item->gid >= 0)
            seen = is_seen(ctx, span, item, ctm, clip);
        if (!seen)
            continue;
        place.e = item->x;
        place.f = item->y;
        fz_show_glyph(ctx, to, span->font, place, item->gid, item->ucs, (int) span->wmode,
                      (int) span->bidi_level, (fz_bidi_direction) span->markup_dir,
                      (fz_text_language) span->language);
    }
}

static fz_text *new_seen(fz_context *ctx, const fz_text *text, fz_matrix ctm, fz_rect clip)
{
    fz_text *seen = fz_new_text(ctx);

    fz_try(ctx)
    {
        for (const fz_text_span *span = text->head; span; span = span->next)
            copy_seen(ctx, span, ctm, clip, seen);
    }
    fz_catch(ctx)
    {
        fz_drop_text(ctx, seen);
        fz_rethrow(ctx);
    }
    return seen;
}

fz_text *clipped_text_seen(fz_context *ctx, const fz_text *text, fz_matrix ctm, fz_rect clip,
                           struct clipped_letters *hidden)
{
    bool is_whole = fz_is_infinite_rect(clip) || count_hidden(ctx, text, ctm, clip, hidden) == 0;

    return is_whole ? NULL : new_seen(ctx, text, ctm, clip);
}

/* Glyphs have the coordinates that they have before the rotation of their line. */
static bool letter_drawn(const struct glyph *glyph, const struct clipped_letter *letter)
{
    fz_point at = letter->at;

    if (glyph->code != letter->code)
        return false;
    if (glyph->angle != 0)
        at = fz_transform_point(at, fz_rotate(-glyph->angle * 180 / (float) M_PI));
    return fabsf(glyph->x0 - at.x) < SAME_PLACE && fabsf(glyph->base - at.y) < SAME_PLACE;
}

size_t clipped_text_count(const struct clipped_letters *hidden, const struct page_content *content)
{
    size_t n = 0;

    for (size_t i = 0; i < hidden->n; i++) {
        const struct clipped_letter *letter = &hidden->items[i];
        bool gone = letter->at.x >= 0 && letter->at.x < content->width && letter->at.y > 0 &&
                    letter->at.y < content->height;

        for (size_t k = 0; gone && k < content->n_glyphs; k++)
            gone = !letter_drawn(&content->glyphs[k], letter);
        n += gone;
    }
    return n;
}
