#include "layout/paragraph/shape.h"

#include <math.h>
#include <string.h>

#include "layout/page/bidi.h"

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

/* Whether spaces were made wider in some lines than in others, but for the last one's. */
static bool is_filled(const struct line *lines, size_t n)
{
    float least = INFINITY, most = 0;

    for (size_t i = 0; i + 1 < n; i++) {
        const struct word_list *words = &lines[i].words;
        float white = 0;

        if (words->n < 2)
            continue;
        for (size_t k = 1; k < words->n; k++)
            white += words->items[k]->area.x0 - words->items[k - 1]->area.x1;
        white /= (float) (words->n - 1) * lines[i].size;
        least = fminf(least, white);
        most = fmaxf(most, white);
    }
    return most - least > 0.012F || !(least < most);
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
    /* A first line that is indented can have the same middle as the next. */
    if (edges->even_middle && fabsf(edges->first - edges->left) > 0.25F * size &&
        (flow->in_cell || edges->first < edges->left || edges->left > flow->column.x0 + 1))
        return ALIGN_CENTER;
    if (edges->even_left)
        return edges->even_right && n > 2 && is_filled(lines, n) ? ALIGN_BOTH : ALIGN_LEFT;
    if (edges->even_middle)
        return ALIGN_CENTER;
    return edges->even_right && fabsf(lines[n - 1].area.x1 - edges->right) < 2 ? ALIGN_RIGHT
                                                                               : ALIGN_LEFT;
}

/* Whether its letters take in a document what they took: they are measured and need no space
 * between them, or of a family that is everywhere, by its own name or under one of the same widths.
 */
static bool is_known_label(const struct flow *flow, const struct word *word)
{
    const char *family = flow->content->fonts[word->glyphs->font].family;
    float more = area_width(&word->area);

    if (strcmp(family, "Calibri") == 0 || strcmp(family, "Cambria") == 0)
        return true;
    for (size_t i = 0; i < word->n_glyphs; i++) {
        const struct glyph *glyph = &word->glyphs[i];

        if (glyph->width <= 0)
            return false;
        more -= glyph->width;
    }
    return fabsf(more) < 0.003F * word->size * (float) word->n_glyphs;
}

static bool is_measured(const struct flow *flow, const struct line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].words.n; k++)
            if (!is_known_label(flow, lines[i].words.items[k]))
                return false;
    return true;
}

/* How wide the space of a word's font is, as a document will have it. */
static float space_of(const struct flow *flow, const struct word *word)
{
    const char *family = flow->content->fonts[word->glyphs->font].family;

    return word->size * (strcmp(family, "Arial") == 0             ? 0.278F
                         : strcmp(family, "Times New Roman") == 0 ? 0.25F
                                                                  : 0.22F);
}

/* Whether no line's spaces are narrower than a font has them: a typesetter's can be, and then the
 * line needs more room in a document. */
static bool is_loose(const struct flow *flow, const struct line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float white = 0, least = 0;

        for (size_t k = 1; k < lines[i].words.n; k++) {
            const struct word *word = lines[i].words.items[k];
            const struct word *before = lines[i].words.items[k - 1];

            white += fmaxf(word->area.x0 - before->area.x1, 0);
            least += space_of(flow, before);
        }
        if (white < 0.98F * least)
            return false;
    }
    return true;
}

/* Where the first word of the next line would have let a line end. */
static float limit_of(const struct line *lines, size_t n)
{
    float limit = INFINITY;

    for (size_t i = 0; i + 1 < n; i++)
        limit = fminf(limit,
                      lines[i].area.x1 + 0.22F * lines[i].size + words_first_width(&lines[i + 1]));
    return limit;
}

/* How far right lines may go so that each ends where it did: less than would let in the first word
 * of the next. To where the column ends, if that does. */
static float right_edge(const struct flow *flow, const struct line *lines, size_t n,
                        const struct edges *edges, bool both)
{
    float limit = limit_of(lines, n), room = flow->column.x1 - edges->right;
    bool known = is_measured(flow, lines, n) && is_loose(flow, lines, n);

    /* Lines that are to be as long as they were, and not filled, need some more room. */
    if (limit > flow->column.x1 + 0.5F &&
        (both ? room > 0.75F || (known && room > -0.1F) : known && room > 1))
        return flow->column.x1;
    limit = fminf(limit, edges->right + 12);
    if (limit <= edges->right)
        return edges->right + 0.3F;
    return edges->right + fminf((limit - edges->right) / 2, both ? 0.8F : 12);
}

/* The same for a single line: it may be longer, except for text at a tab. */
static float one_edge(const struct flow *flow, const struct line *line, const struct paragraph *p)
{
    bool fixed = p->n_tabs && p->tabs[p->n_tabs - 1].align == ALIGN_RIGHT;

    if (fixed ? line->area.x1 < flow->column.x1 + 0.1F
              : line->area.x1 < flow->column.x1 - 1.5F && is_measured(flow, line, 1) &&
                    is_loose(flow, line, 1))
        return flow->column.x1;
    return fmaxf(flow->column.x1, line->area.x1 + 6);
}

/* A tab before the words [from, to) of a line: on the right if they end at the column's edge or
 * beyond, in the middle if theirs is the column's. */
static struct tab tab_of(const struct flow *flow, const struct line *line, size_t from, size_t to)
{
    float x0 = line->words.items[from]->area.x0 - flow->column.x0;
    float x1 = line->words.items[to - 1]->area.x1 - flow->column.x0;
    float width = flow->column.x1 - flow->column.x0;

    if (line->words.items[from]->role == ROLE_AFTER_DOTS)
        return (struct tab){ .x = x1, .from = x0, .align = ALIGN_RIGHT, .dots = true };
    if (to == line->words.n && x1 > width - 1.5F)
        return (struct tab){ .x = x1, .from = x0, .align = ALIGN_RIGHT };
    if (fabsf((x0 + x1) / 2 - width / 2) < 1.5F)
        return (struct tab){ .x = (x0 + x1) / 2, .from = x0, .align = ALIGN_CENTER };
    return (struct tab){ .x = x0, .from = x0 };
}

static bool is_tab(const struct line *line, size_t n, size_t i)
{
    return joins_is_tab(line, i) || (n > 1 && joins_hangs(line, line + 1, i));
}

static void put_tabs(const struct flow *flow, const struct line *line, size_t n, size_t skip,
                     struct paragraph *p)
{
    p->tabs = ARENA_ARRAY(flow->arena, struct tab, line->words.n);
    for (size_t i = skip + 1; i < line->words.n && p->n_tabs < MAX_TABS; i++) {
        size_t to = i + 1;

        if (!is_tab(line, n, i))
            continue;
        while (to < line->words.n && !is_tab(line, n, to))
            to++;
        p->tabs[p->n_tabs++] =
            n > 1 && line->words.items[i]->role != ROLE_AFTER_DOTS
                ? (struct tab){ .x = line->words.items[i]->area.x0 - flow->column.x0,
                                .from = line->words.items[i]->area.x0 - flow->column.x0 }
                : tab_of(flow, line, i, to);
    }
}

static float line_height(const struct flow *flow, const struct line *lines, size_t n,
                         const struct joins *joins)
{
    float size = lines[0].size;

    (void) flow, (void) joins;
    if (n > 1 && lines[n - 1].base > lines[0].base)
        return words_pitch(lines, n);
    return size * 1.17F;
}

/* A number alone is a list's only if the list goes on before or is likely to after it. */
static bool is_listed(const struct flow *flow, const struct line *lines, size_t n,
                      const struct label *label, size_t skip)
{
    const struct word *text = lines[0].words.items[skip];

    if (label->kind == LABEL_OUTLINE)
        return !(lines[0].bold && n == 1) && numbering_continues(flow->numbering, label);
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

/* A tiny indent is ignored. */
static float snap(float x, float edge)
{
    return fabsf(x - edge) < 0.7F ? edge : x;
}

static bool is_rtl_text(const struct flow *flow, const struct line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bidi_has_letters(&lines[i]))
            return bidi_is_rtl(flow->content, lines, n, &flow->column);
    return false;
}

/* The width lines were broken at, of what is in the middle or on the right; the column's, if they
 * were broken there. */
static void indent_sides(const struct flow *flow, const struct line *lines, size_t n,
                         const struct edges *edges, struct paragraph *p)
{
    float left = fminf(edges->left, edges->first), width = edges->right - left, least = INFINITY;
    float column = flow->column.x1 - flow->column.x0, more;

    for (size_t i = 0; i + 1 < n; i++)
        least = fminf(least, area_width(&lines[i].area) + 0.22F * lines[i].size +
                                 words_first_width(&lines[i + 1]));
    if (least > column + 0.5F && column > width - 0.1F && is_measured(flow, lines, n) &&
        is_loose(flow, lines, n))
        return;
    more = least > width ? fminf((least - width) / 2, 12) : 0.3F;
    /* What a line may be longer is on both of its sides. */
    p->left = left - flow->column.x0 - (p->align == ALIGN_CENTER ? more / 2 : more);
    p->right = flow->column.x1 - edges->right - (p->align == ALIGN_CENTER ? more / 2 : 0);
}

size_t shape_paragraph(const struct flow *flow, const struct line *lines, size_t n,
                       const struct joins *joins, struct paragraph *p)
{
    struct label label;
    size_t skip = 0;
    struct edges edges;
    float right;

    p->rtl = is_rtl_text(flow, lines, n);
    if (!p->rtl && joins_label(flow, &lines[0], &label, &skip))
        numbering_resolve(flow->numbering, &label);
    else
        skip = 0;
    if (skip && (!is_listed(flow, lines, n, &label, skip) ||
                 (p->list = numbering_place(flow->numbering, &label, &p->level)) == 0))
        skip = 0;
    flow->numbering->open = skip > 0;
    edges = study(lines, n, skip);
    p->line = line_height(flow, lines, n, joins);
    p->align = align_of(flow, lines, n, &edges, skip);
    if (p->rtl && p->align != ALIGN_CENTER)
        p->align = n > 2 && edges.even_left ? ALIGN_BOTH : ALIGN_LEFT;
    if (!p->rtl && (n > 1 || p->align == ALIGN_LEFT || joins_is_gapped(lines, skip)))
        put_tabs(flow, lines, n, skip, p);
    if (n == 1 && p->n_tabs)
        p->align = ALIGN_LEFT;
    edges.left = snap(edges.left, flow->column.x0);
    edges.first = snap(edges.first, flow->column.x0);
    if (p->align == ALIGN_CENTER || p->align == ALIGN_RIGHT) {
        if (n > 1)
            indent_sides(flow, lines, n, &edges, p);
        return skip;
    }
    right = n > 1 ? right_edge(flow, lines, n, &edges, p->align == ALIGN_BOTH)
                  : one_edge(flow, lines, p);
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
