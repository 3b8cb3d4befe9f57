#include "reflow/shape.h"

#include <math.h>

#define MAX_TABS 40

struct edges {
    float left, right; /* of the lines */
    float first;       /* left edge of the first one */
    bool even_left, even_right, even_middle;
};

static struct edges study(const struct line *lines, size_t n, size_t skip)
{
    float tolerance = 0.18F * lines[0].size + 0.4F;
    struct edges edges = { .first = lines[0].words.items[skip]->area.x0,
                           .even_left = true,
                           .even_right = true,
                           .even_middle = true };

    edges.left = n > 1 ? lines[1].area.x0 : edges.first;
    edges.right = lines[0].area.x1;
    for (size_t i = 0; i < n; i++) {
        float middle = (lines[i].area.x0 + lines[i].area.x1) / 2;

        edges.right = fmaxf(edges.right, lines[i].area.x1);
        if (i > 0)
            edges.left = fminf(edges.left, lines[i].area.x0);
        edges.even_middle &=
            fabsf(middle - (lines[0].area.x0 + lines[0].area.x1) / 2) < 2 * tolerance;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            edges.even_left &= lines[i].area.x0 - edges.left < tolerance;
        if (i + 1 < n)
            edges.even_right &= edges.right - lines[i].area.x1 < tolerance;
    }
    return edges;
}

static enum align align_of(const struct flow *flow, const struct line *lines, size_t n,
                           const struct edges *edges, size_t skip)
{
    float left = edges->first - flow->column.x0, right = flow->column.x1 - edges->right;
    float size = lines[0].size, width = flow->column.x1 - flow->column.x0;
    bool mid = fabsf(left - right) < fmaxf(2.5F, 0.3F * size) && left > 0.06F * width && left > 4;

    if (skip)
        return n > 2 && edges->even_right ? ALIGN_BOTH : ALIGN_LEFT;
    if (n == 1) {
        if (mid)
            return ALIGN_CENTER;
        return left > 0.3F * width && fabsf(right) < 1.5F && !joins_is_gapped(lines, 0)
                   ? ALIGN_RIGHT
                   : ALIGN_LEFT;
    }
    if (edges->even_middle && fabsf(edges->first - edges->left) > 0.25F * size)
        return ALIGN_CENTER;
    if (edges->even_left)
        return edges->even_right && n > 2 ? ALIGN_BOTH : ALIGN_LEFT;
    if (edges->even_middle)
        return ALIGN_CENTER;
    return edges->even_right && fabsf(lines[n - 1].area.x1 - edges->right) < 2 ? ALIGN_RIGHT
                                                                               : ALIGN_LEFT;
}

/* How far right lines may go so that each ends where it did: less than would let in the first word
 * of the next. */
static float right_edge(const struct line *lines, size_t n, const struct edges *edges, bool both)
{
    float limit = edges->right + 12;

    for (size_t i = 0; i + 1 < n; i++)
        limit = fminf(limit,
                      lines[i].area.x1 + 0.22F * lines[i].size + joins_first_width(&lines[i + 1]));
    if (limit <= edges->right)
        return edges->right + 0.3F;
    return edges->right + fminf((limit - edges->right) / 2, both ? 0.8F : 12);
}

static void put_tabs(const struct flow *flow, const struct line *line, size_t n, size_t skip,
                     struct paragraph *p)
{
    p->tabs = ARENA_ARRAY(flow->arena, struct tab, line->words.n);
    for (size_t i = skip + 1; i < line->words.n && p->n_tabs < MAX_TABS; i++) {
        const struct word *word = line->words.items[i];

        if (!joins_is_tab(line, i) && !(n > 1 && joins_hangs(line, line + 1, i)))
            continue;
        p->tabs[p->n_tabs++] = (struct tab){ .x = word->area.x0 - flow->column.x0 };
        if (i + 1 == line->words.n && fabsf(word->area.x1 - flow->column.x1) < 1.5F)
            p->tabs[p->n_tabs - 1] =
                (struct tab){ .x = word->area.x1 - flow->column.x0, .align = ALIGN_RIGHT };
    }
}

static float line_height(const struct flow *flow, const struct line *lines, size_t n,
                         const struct joins *joins)
{
    float size = lines[0].size;

    (void) flow, (void) joins;
    if (n > 1 && lines[n - 1].base > lines[0].base)
        return (lines[n - 1].base - lines[0].base) / (float) (n - 1);
    return size * 1.17F;
}

/* A number alone is a list's only if the list goes on before or is likely to after it. */
static bool is_listed(const struct flow *flow, const struct line *lines, size_t n,
                      const struct label *label, size_t skip)
{
    const struct word *text = lines[0].words.items[skip];

    if (label->kind == LABEL_BULLET || label->tagged || numbering_continues(flow->numbering, label))
        return true;
    /* What is all in bold type, and short, is a heading with a number. */
    if (lines[0].bold && (n == 1 || lines[0].size > 1.05F * flow->survey->body))
        return false;
    if (label->kind != LABEL_DECIMAL && label->value != 1)
        return false;
    return (n > 1 && fabsf(lines[1].area.x0 - text->area.x0) < 0.5F * lines[0].size) ||
           label->value == 1;
}

static size_t count_rtl(const struct line *lines, size_t n)
{
    size_t rtl = 0, all = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].words.n; k++)
            for (size_t g = 0; g < lines[i].words.items[k]->n_glyphs; g++) {
                rtl += is_rtl(lines[i].words.items[k]->glyphs[g].code);
                all++;
            }
    return rtl * 2 > all;
}

size_t shape_paragraph(const struct flow *flow, const struct line *lines, size_t n,
                       const struct joins *joins, struct paragraph *p)
{
    struct label label;
    size_t skip = 0;
    struct edges edges;
    float right;

    p->rtl = count_rtl(lines, n);
    if (p->rtl || !joins_label(flow, &lines[0], &label, &skip) ||
        !is_listed(flow, lines, n, &label, skip) ||
        (p->list = numbering_place(flow->numbering, &label, &p->level)) == 0)
        skip = 0;
    edges = study(lines, n, skip);
    p->line = line_height(flow, lines, n, joins);
    p->align = align_of(flow, lines, n, &edges, skip);
    if (p->rtl && p->align != ALIGN_CENTER)
        p->align = n > 2 && edges.even_left ? ALIGN_BOTH : ALIGN_LEFT;
    if (!p->rtl && (n > 1 || p->align == ALIGN_LEFT || joins_is_gapped(lines, skip)))
        put_tabs(flow, lines, n, skip, p);
    if (n == 1 && p->n_tabs)
        p->align = ALIGN_LEFT;
    right = n > 1 ? right_edge(lines, n, &edges, p->align == ALIGN_BOTH)
                  : fmaxf(flow->column.x1, edges.right + 6);
    if (p->align == ALIGN_CENTER || p->align == ALIGN_RIGHT) {
        if (n == 1)
            return skip;
        p->left = fminf(edges.left, edges.first) - flow->column.x0;
        p->right = flow->column.x1 - edges.right;
        /* What a line may be longer is on both of its sides. */
        p->left -= p->align == ALIGN_CENTER ? (right - edges.right) / 2 : 0;
        p->right -= p->align == ALIGN_CENTER ? (right - edges.right) / 2 : 0;
        return skip;
    }
    p->left = edges.left - flow->column.x0;
    p->first = (skip ? lines[0].words.items[0]->area.x0 : edges.first) - edges.left;
    p->right = flow->column.x1 - right;
    if (p->rtl)
        p->left = p->first = 0;
    if (p->rtl)
        p->right = 0;
    if (skip && n == 1)
        p->left = edges.first - flow->column.x0;
    if (skip)
        p->first = lines[0].words.items[0]->area.x0 - flow->column.x0 - p->left;
    return skip;
}
