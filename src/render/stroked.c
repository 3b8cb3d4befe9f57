#include "render/stroked.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "render/engine.h"

#define SLOTS       2048 /* a power of 2; of two letters with the same slot the later stays */
#define MAX_PIXELS  (4U << 20)
#define LEAST_WIDTH .2F                 /* pixels: thinner lines MuPDF makes as thick */
#define MULTIPLIER  0x9e3779b97f4a7c15U /* 2^64 by the golden ratio: spreads what it multiplies */

/* All that the pixels depend on; no gaps, so that it can be compared as bytes. */
struct key {
    fz_font *font;
    float matrix[6]; /* its translation is a part of a pixel */
    float width, miter;
    int glyph, join, cap, aa;
};

struct slot {
    struct key key;
    fz_glyph *glyph; /* NULL: free; else it and the font are ours */
};

struct stroked {
    struct slot slots[SLOTS];
    size_t pixels;
};

fz_glyph *__real_fz_render_stroked_glyph(fz_context *ctx, fz_font *font, int number,
                                         fz_matrix *matrix, fz_matrix page,
                                         const fz_stroke_state *stroke, const fz_irect *scissor,
                                         int aa);
fz_glyph *__wrap_fz_render_stroked_glyph(fz_context *ctx, fz_font *font, int number,
                                         fz_matrix *matrix, fz_matrix page,
                                         const fz_stroke_state *stroke, const fz_irect *scissor,
                                         int aa);

fz_glyph *fz_new_glyph_from_8bpp_data(fz_context *ctx, int x, int y, int w, int h, uint8_t *samples,
                                      int stride);

static void drop(struct slot *slot, fz_context *ctx)
{
    if (slot->glyph) {
        fz_drop_glyph(ctx, slot->glyph);
        fz_drop_font(ctx, slot->key.font);
    }
    slot->glyph = NULL;
}

static void drop_all(struct stroked *stroked, fz_context *ctx)
{
    for (size_t i = 0; i < SLOTS; i++)
        drop(&stroked->slots[i], ctx);
    stroked->pixels = 0;
}

void stroked_free(struct stroked *stroked, fz_context *ctx)
{
    if (!stroked)
        return;
    drop_all(stroked, ctx);
    fz_free(ctx, stroked);
}

/* What is the same number with other bits, as -0, is only drawn anew. */
static bool is_same(const struct key *a, const struct key *b)
{
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return memcmp(a, b, sizeof *a) == 0;
}

static size_t slot_of(const struct key *key)
{
    const unsigned char *bytes = (const unsigned char *) key;
    uint64_t sum = 0, word;

    _Static_assert(sizeof *key % sizeof word == 0, "the key is summed by words");
    for (size_t i = 0; i < sizeof *key; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        sum = (sum ^ word) * MULTIPLIER;
        sum ^= sum >> 32;
    }
    return sum & (SLOTS - 1);
}

/* `place` is the matrix with its translation in whole steps, as MuPDF rounds it. */
static struct key key_of(fz_context *ctx, fz_font *font, int number, fz_matrix *place,
                         fz_matrix page, const fz_stroke_state *stroke, int aa)
{
    struct key key;
    fz_matrix part;
    unsigned char x, y;

    fz_subpixel_adjust(ctx, place, &part, &x, &y);
    memset(&key, 0, sizeof key);
    key.font = font;
    memcpy(key.matrix, &part, sizeof key.matrix);
    key.width = stroke->linewidth * fz_matrix_expansion(page);
    key.miter = stroke->miterlimit;
    key.glyph = number;
    key.join = (int) stroke->linejoin;
    key.cap = (int) stroke->start_cap;
    key.aa = aa;
    return key;
}

static bool is_ours(fz_font *font, const struct key *key)
{
    return key->aa > 0 && key->width >= LEAST_WIDTH && !fz_font_flags(font)->fake_bold;
}

/* Its outline by MuPDF's own way with lines. */
static fz_pixmap *outline(fz_context *ctx, fz_path *path, const struct key *key)
{
    fz_stroke_state *stroke = fz_new_stroke_state(ctx);
    fz_pixmap *pixmap = NULL;
    fz_device *device = NULL;

    fz_var(pixmap);
    fz_var(device);
    stroke->linewidth = truncf(key->width * 32) / 32; /* as FreeType gets it */
    stroke->linejoin = (fz_linejoin) key->join;
    stroke->miterlimit = key->miter;
    fz_try(ctx)
    {
        fz_rect bounds = fz_bound_path(ctx, path, stroke, fz_identity);

        pixmap = fz_new_pixmap_with_bbox(ctx, NULL, fz_irect_from_rect(bounds), NULL, 1);
        fz_clear_pixmap(ctx, pixmap);
        device = fz_new_draw_device(ctx, fz_identity, pixmap);
        fz_stroke_path(ctx, device, path, stroke, fz_identity, NULL, NULL, 1,
                       fz_default_color_params);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_stroke_state(ctx, stroke);
    }
    fz_catch(ctx)
    {
        fz_drop_pixmap(ctx, pixmap);
        fz_rethrow(ctx);
    }
    return pixmap;
}

static fz_glyph *draw(fz_context *ctx, const struct key *key)
{
    fz_path *path;
    fz_pixmap *pixmap = NULL;
    fz_glyph *glyph = NULL;
    fz_matrix matrix;

    fz_var(pixmap);
    fz_var(glyph);
    memcpy(&matrix, key->matrix, sizeof matrix);
    path = fz_outline_glyph(ctx, key->font, key->glyph, matrix);
    if (!path)
        return NULL;
    fz_try(ctx)
    {
        pixmap = outline(ctx, path, key);
        glyph = fz_new_glyph_from_8bpp_data(ctx, pixmap->x, pixmap->y, pixmap->w, pixmap->h,
                                            pixmap->samples, (int) pixmap->stride);
    }
    fz_always(ctx)
    {
        fz_drop_path(ctx, path);
        fz_drop_pixmap(ctx, pixmap);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return glyph;
}

static void keep(struct stroked *stroked, fz_context *ctx, const struct key *key, fz_glyph *glyph)
{
    struct slot *slot = &stroked->slots[slot_of(key)];
    size_t pixels = (size_t) fz_glyph_width(ctx, glyph) * (size_t) fz_glyph_height(ctx, glyph);

    if (pixels > MAX_PIXELS / 16)
        return;
    if (stroked->pixels + pixels > MAX_PIXELS)
        drop_all(stroked, ctx);
    drop(slot, ctx);
    *slot = (struct slot){ *key, fz_keep_glyph(ctx, glyph) };
    fz_keep_font(ctx, key->font);
    stroked->pixels += pixels;
}

/* On return `matrix` has the translation that was drawn with, as MuPDF's function leaves it. */
fz_glyph *__wrap_fz_render_stroked_glyph(fz_context *ctx, fz_font *font, int number,
                                         fz_matrix *matrix, fz_matrix page,
                                         const fz_stroke_state *stroke, const fz_irect *scissor,
                                         int aa)
{
    struct engine_own *own = engine_own(ctx);
    fz_matrix place = *matrix;
    const struct slot *slot;
    fz_glyph *glyph;
    struct key key;

    if (!own || stroke->dash_len > 0 || !fz_font_ft_face(ctx, font))
        return __real_fz_render_stroked_glyph(ctx, font, number, matrix, page, stroke, scissor, aa);
    if (!own->stroked)
        own->stroked = fz_malloc_struct(ctx, struct stroked);
    key = key_of(ctx, font, number, &place, page, stroke, aa);
    slot = &own->stroked->slots[slot_of(&key)];
    if (slot->glyph && is_same(&slot->key, &key)) {
        *matrix = place;
        return fz_keep_glyph(ctx, slot->glyph);
    }
    if (is_ours(font, &key)) {
        glyph = draw(ctx, &key);
        *matrix = place;
    } else {
        glyph =
            __real_fz_render_stroked_glyph(ctx, font, number, matrix, page, stroke, scissor, aa);
    }
    if (glyph)
        keep(own->stroked, ctx, &key, glyph);
    return glyph;
}
