#include "engine/page_text/glyph_identity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/list.h"
#include "engine/page_text/font_map.h"

#define UNITS      2000 /* units of a glyph's size, to which its points are rounded */
#define MAX_SHAPES 20000
#define MAX_CODES  65536

static void add_point(uint64_t *sum, int kind, float x, float y)
{
    const int values[] = { kind, (int) lrintf(x * UNITS), (int) lrintf(y * UNITS) };

    for (size_t i = 0; i < 3; i++)
        *sum = fnv_mix(*sum, (unsigned) values[i]);
}

static void sum_move(fz_context *ctx, void *sum, float x, float y)
{
    (void) ctx;
    add_point(sum, 1, x, y);
}

static void sum_line(fz_context *ctx, void *sum, float x, float y)
{
    (void) ctx;
    add_point(sum, 2, x, y);
}

static void sum_curve(fz_context *ctx, void *sum, float x1, float y1, float x2, float y2, float x3,
                      float y3)
{
    (void) ctx;
    add_point(sum, 3, x1, y1);
    add_point(sum, 3, x2, y2);
    add_point(sum, 3, x3, y3);
}

static void sum_close(fz_context *ctx, void *sum)
{
    (void) ctx;
    add_point(sum, 4, 0, 0);
}

/* Returns 0 for a glyph without an outline. */
static uint64_t sum_of(fz_context *ctx, fz_font *font, int glyph)
{
    static const fz_path_walker walker = {
        .moveto = sum_move, .lineto = sum_line, .curveto = sum_curve, .closepath = sum_close
    };
    uint64_t sum = FNV_START;
    fz_path *path = NULL;

    fz_var(path);
    fz_try(ctx)
    {
        path = fz_outline_glyph(ctx, font, glyph, fz_identity);
        if (path)
            fz_walk_path(ctx, path, &walker, &sum);
    }
    fz_always(ctx)
    {
        fz_drop_path(ctx, path);
    }
    fz_catch(ctx)
    {
        return 0;
    }
    return sum == FNV_START ? 0 : sum;
}

static int by_sum(const void *a, const void *b)
{
    const struct glyph_outline *p = a, *q = b;

    return p->sum < q->sum ? -1 : p->sum > q->sum ? 1 : p->code < q->code ? -1 : p->code > q->code;
}

static int code_of(const pdf_font_desc *font, int cid)
{
    int code = font->to_unicode ? pdf_lookup_cmap(font->to_unicode, (unsigned) cid) : -1;

    if (code <= 0 && (size_t) cid < font->cid_to_ucs_len)
        code = font->cid_to_ucs[cid];
    return code <= ' ' || code == FZ_REPLACEMENT_CHARACTER || (code >= 0xe000 && code < 0xf900)
               ? 0
               : code;
}

static void learn_font(struct glyph_identity *shapes, fz_context *ctx, pdf_font_desc *font)
{
    int n = font->to_unicode && font->cid_to_ucs_len == 0 ? MAX_CODES : (int) font->cid_to_ucs_len;

    for (int cid = 0; cid < n && cid < MAX_CODES && shapes->n < MAX_SHAPES; cid++) {
        int code = code_of(font, cid), glyph = code ? pdf_font_cid_to_gid(ctx, font, cid) : 0;
        uint64_t sum = glyph > 0 ? sum_of(ctx, font->font, glyph) : 0;

        if (sum && LIST_ROOM(shapes->items, shapes->n, shapes->cap))
            shapes->items[shapes->n++] = (struct glyph_outline){ sum, code };
    }
}

static void learn_fonts(struct glyph_identity *shapes, fz_context *ctx, pdf_page *page)
{
    pdf_obj *resources = pdf_page_resources(ctx, page);
    pdf_obj *fonts = pdf_dict_get(ctx, resources, PDF_NAME(Font));
    int n = pdf_dict_len(ctx, fonts);

    for (int i = 0; i < n; i++) {
        pdf_obj *of = pdf_dict_get_val(ctx, fonts, i);
        const char *name = pdf_dict_get_name(ctx, of, PDF_NAME(BaseFont));
        pdf_font_desc *font = NULL;

        if (strncmp(font_map_base_name(name), shapes->name, strlen(shapes->name)) != 0)
            continue;
        fz_var(font);
        fz_try(ctx)
        {
            font = pdf_load_font(ctx, page->doc, resources, of);
            if (fz_font_ft_face(ctx, font->font))
                learn_font(shapes, ctx, font);
        }
        fz_always(ctx)
        {
            pdf_drop_font(ctx, font);
        }
        fz_catch(ctx)
        {
            /* A glyph whose outline cannot be read is not drawn either. */
        }
    }
    if (shapes->n)
        qsort(shapes->items, shapes->n, sizeof *shapes->items, by_sum);
}

int glyph_identity_find(struct glyph_identity *shapes, fz_context *ctx, pdf_page *page,
                        fz_font *font, int glyph)
{
    const char *name = font_map_base_name(fz_font_name(ctx, font));
    uint64_t sum = sum_of(ctx, font, glyph);
    size_t from = 0, to;

    if (sum == 0 || *name == '\0')
        return 0;
    if (strncmp(name, shapes->name, sizeof shapes->name - 1) != 0) {
        shapes->n = 0;
        snprintf(shapes->name, sizeof shapes->name, "%s", name);
        learn_fonts(shapes, ctx, page);
    }
    for (to = shapes->n; from < to;) {
        size_t middle = (from + to) / 2;

        if (shapes->items[middle].sum < sum)
            from = middle + 1;
        else
            to = middle;
    }
    return from < shapes->n && shapes->items[from].sum == sum ? shapes->items[from].code : 0;
}

void glyph_identity_free(struct glyph_identity *shapes)
{
    free(shapes->items);
    *shapes = (struct glyph_identity){ 0 };
}
