#include "reflow/twice.h"

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

int twice_drop(struct sheet *sheet, struct err *err)
{
    struct glyph **sorted = calloc(sheet->n_glyphs + 1, sizeof *sorted);
    size_t kept = 0;
    bool *gone = calloc(sheet->n_glyphs + 1, sizeof *gone);

    if (!sorted || !gone) {
        free(sorted);
        free(gone);
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", sheet->number + 1);
    }
    for (size_t i = 0; i < sheet->n_glyphs; i++)
        sorted[i] = &sheet->glyphs[i];
    qsort(sorted, sheet->n_glyphs, sizeof *sorted, by_place);
    for (size_t i = 0; i < sheet->n_glyphs; i++)
        for (size_t k = i + 1; k < sheet->n_glyphs && k < i + TURNS; k++) {
            struct glyph *p = sorted[i], *q = sorted[k];

            if (q->code != p->code || q->x0 - p->x0 > NEAR * p->size)
                break;
            if (!gone[p - sheet->glyphs] && !gone[q - sheet->glyphs] && is_same(p, q))
                gone[lesser(p, q) - sheet->glyphs] = true;
        }
    for (size_t i = 0; i < sheet->n_glyphs; i++) {
        if (gone[i]) {
            sheet->n_hidden -= (sheet->glyphs[i].flags & GLYPH_HIDDEN) != 0;
            continue;
        }
        sheet->glyphs[kept++] = sheet->glyphs[i];
    }
    sheet->n_glyphs = kept;
    free(sorted);
    free(gone);
    return 0;
}
