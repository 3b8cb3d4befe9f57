#include "layout/page/duplicate_glyphs.h"

#include <math.h>
#include <stdlib.h>

#define NEAR  0.13F /* sizes: less than the narrowest letter takes */
#define TURNS 64    /* neighbours that are looked at: rows of dots have many */

static int by_place(const void *a, const void *b)
{
    const struct glyph *p = *(struct glyph *const *) a, *q = *(struct glyph *const *) b;

    if (p->code != q->code)
        return p->code < q->code ? -1 : 1;
    if (p->x0 < q->x0 || p->x0 > q->x0)
        return p->x0 < q->x0 ? -1 : 1;
    return p < q ? -1 : p > q;
}

static bool is_same(const struct glyph *p, const struct glyph *q)
{
    float size = fminf(p->size, q->size);

    return fabsf(p->base - q->base) < NEAR * size && fabsf(p->x1 - q->x1) < 2 * NEAR * size &&
           fabsf(p->size - q->size) < 0.1F * size && fabsf(p->angle - q->angle) < 0.02F;
}

/* The one of both that goes: what is drawn later is what is to be seen. */
static struct glyph *lesser(struct glyph *p, struct glyph *q)
{
    if ((p->flags ^ q->flags) & GLYPH_HIDDEN)
        return p->flags & GLYPH_HIDDEN ? p : q;
    return p < q ? p : q;
}

/* Marks those that go, of the n; whether there are any. */
static bool mark(struct sheet *sheet, struct glyph **sorted, size_t n, bool *gone)
{
    bool any = false;

    if (n)
        qsort(sorted, n, sizeof *sorted, by_place);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && k < i + TURNS; k++) {
            struct glyph *p = sorted[i], *q = sorted[k];

            if (q->code != p->code || q->x0 - p->x0 > NEAR * p->size)
                break;
            if (!gone[p - sheet->glyphs] && !gone[q - sheet->glyphs] && is_same(p, q))
                any = gone[lesser(p, q) - sheet->glyphs] = true;
        }
    return any;
}

/* Those that begin where the engine began a line, or all; how many. */
static size_t collect(struct sheet *sheet, bool all, struct glyph **sorted)
{
    size_t n = 0;

    for (size_t i = 0; i < sheet->n_glyphs; i++)
        if (all || sheet->glyphs[i].flags & GLYPH_FIRST)
            sorted[n++] = &sheet->glyphs[i];
    return n;
}

static void drop(struct sheet *sheet, const bool *gone)
{
    size_t kept = 0;

    for (size_t i = 0; i < sheet->n_glyphs; i++) {
        if (gone[i]) {
            sheet->n_hidden -= (sheet->glyphs[i].flags & GLYPH_HIDDEN) != 0;
            continue;
        }
        sheet->glyphs[kept++] = sheet->glyphs[i];
    }
    sheet->n_glyphs = kept;
}

int duplicate_glyphs_drop(struct sheet *sheet, struct err *err)
{
    struct glyph **sorted = calloc(sheet->n_glyphs + 1, sizeof *sorted);
    bool *gone = calloc(sheet->n_glyphs + 1, sizeof *gone);

    if (!sorted || !gone) {
        free(sorted);
        free(gone);
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", sheet->number + 1);
    }
    /* Text that goes over other text begins a line of the engine's there: most pages have none. */
    if (mark(sheet, sorted, collect(sheet, false, sorted), gone)) {
        mark(sheet, sorted, collect(sheet, true, sorted), gone);
        drop(sheet, gone);
    }
    free(sorted);
    free(gone);
    return 0;
}
