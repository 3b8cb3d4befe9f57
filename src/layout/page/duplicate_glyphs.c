#include "layout/page/duplicate_glyphs.h"

#include <math.h>
#include <stdlib.h>

#define NEAR  0.13F /* sizes: less than the narrowest letter takes */
#define TURNS 64    /* neighbours that are looked at: rows of dots have many */

static int by_code_and_place(const void *a, const void *b)
{
    const struct glyph *p = *(struct glyph *const *) a, *q = *(struct glyph *const *) b;

    if (p->code != q->code)
        return p->code < q->code ? -1 : 1;
    if (p->x0 < q->x0 || p->x0 > q->x0)
        return p->x0 < q->x0 ? -1 : 1;
    return p < q ? -1 : p > q;
}

static bool is_duplicate(const struct glyph *p, const struct glyph *q)
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
static bool mark_duplicates(struct page_content *content, struct glyph **sorted, size_t n,
                            bool *gone)
{
    bool any = false;

    if (n)
        qsort(sorted, n, sizeof *sorted, by_code_and_place);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && k < i + TURNS; k++) {
            struct glyph *p = sorted[i], *q = sorted[k];

            if (q->code != p->code || q->x0 - p->x0 > NEAR * p->size)
                break;
            if (!gone[p - content->glyphs] && !gone[q - content->glyphs] && is_duplicate(p, q))
                any = gone[lesser(p, q) - content->glyphs] = true;
        }
    return any;
}

/* Those that begin where the engine began a line, or all; how many. */
static size_t collect_glyphs(struct page_content *content, bool all, struct glyph **sorted)
{
    size_t n = 0;

    for (size_t i = 0; i < content->n_glyphs; i++)
        if (all || content->glyphs[i].flags & GLYPH_FIRST)
            sorted[n++] = &content->glyphs[i];
    return n;
}

static void drop_marked(struct page_content *content, const bool *gone)
{
    size_t kept = 0;

    for (size_t i = 0; i < content->n_glyphs; i++) {
        if (gone[i]) {
            content->n_hidden -= (content->glyphs[i].flags & GLYPH_HIDDEN) != 0;
            continue;
        }
        content->glyphs[kept++] = content->glyphs[i];
    }
    content->n_glyphs = kept;
}

int duplicate_glyphs_drop(struct page_content *content, struct err *err)
{
    struct glyph **sorted = calloc(content->n_glyphs + 1, sizeof *sorted);
    bool *gone = calloc(content->n_glyphs + 1, sizeof *gone);

    if (!sorted || !gone) {
        free(sorted);
        free(gone);
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    }
    /* Text that goes over other text begins a line of the engine's there: most pages have none. */
    if (mark_duplicates(content, sorted, collect_glyphs(content, false, sorted), gone)) {
        mark_duplicates(content, sorted, collect_glyphs(content, true, sorted), gone);
        drop_marked(content, gone);
    }
    free(sorted);
    free(gone);
    return 0;
}
