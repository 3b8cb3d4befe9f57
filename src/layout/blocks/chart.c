#include "layout/blocks/chart.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "layout/page/areas.h"
#include "layout/page/unicode.h"

#define NEAR      6.0F         /* points between parts of a drawing */
#define MOST      2500         /* parts that are looked at */
#define CURVES    4            /* parts that are neither boxes nor lines */
#define BARS      ((size_t) 8) /* boxes that stand on one line */
#define HEIGHTS   5            /* they have */
#define LABELS    3            /* words or numbers in a chart, at least */
#define LABEL     30           /* letters of one, at most */
#define LEAST     45.0F
#define LARGEST   0.55F /* of the page */
#define FAR       14.0F /* points from a drawing to what is said at its edges */
#define PROSE     4     /* words of a piece of running text */
#define BESIDE    4     /* lines of text next to a chart */
#define MOST_TEXT 1500  /* letters in a chart */
#define ROWS      5     /* of a table */
#define CELLS     3     /* of each, at least */
#define PIECES    300   /* that are looked at */

static bool holds(const struct area *a, const struct area *b)
{
    return area_has(a, (b->x0 + b->x1) / 2, (b->y0 + b->y1) / 2);
}

/* A background does not belong to anything. */
static bool is_large(const struct page_content *content, const struct area *area)
{
    return area_width(area) * area_height(area) > LARGEST * content->width * content->height;
}

static size_t add_part(struct area *parts, size_t n, const struct page_content *content,
                       const struct area *area)
{
    if (n < MOST && !is_large(content, area))
        parts[n++] = *area;
    return n;
}

static bool has_curves(const struct page_content *content, const struct area *area)
{
    size_t n = 0;

    for (size_t i = 0; i < content->n_drawings && i < MOST && n < CURVES; i++)
        n += !is_large(content, &content->drawings[i].area) &&
             holds(area, &content->drawings[i].area);
    return n >= CURVES;
}

/* Boxes of one width and many heights, or of one height and many widths. */
static bool has_bars(const struct page_content *content, const struct area *area)
{
    if (content->n_fills > MOST)
        return false;
    for (int upright = 0; upright < 2; upright++)
        for (size_t i = 0, tried = 0; i < content->n_fills && tried < 40; i++) {
            float lengths[BARS * 4], thick;
            size_t n = 0, bars = 0;

            if (content->fills[i].claimed_by || !holds(area, &content->fills[i].area))
                continue;
            tried++;
            thick = upright ? area_height(&content->fills[i].area)
                            : area_width(&content->fills[i].area);
            for (size_t k = i; k < content->n_fills && bars < 4 * BARS && thick > 2; k++) {
                const struct area *bar = &content->fills[k].area;
                float length = upright ? area_width(bar) : area_height(bar);
                bool known = content->fills[k].claimed_by || content->fills[k].stroked ||
                             !holds(area, bar) || length < 1 ||
                             fabsf((upright ? area_height(bar) : area_width(bar)) - thick) > 0.3F;

                if (known)
                    continue;
                bars++;
                for (size_t l = 0; l < n; l++)
                    known = known || fabsf(lengths[l] - length) < 0.7F;
                if (!known)
                    lengths[n++] = length;
            }
            if (bars >= BARS && n >= HEIGHTS)
                return true;
        }
    return false;
}

static size_t count_letters(const struct line *piece)
{
    size_t n = 0;

    for (size_t i = 0; i < piece->words.n; i++)
        n += piece->words.items[i]->n_glyphs + (i > 0);
    return n;
}

static bool is_caption_piece(const struct line *piece)
{
    const struct word *word = piece->words.items[0];
    static const char *const names[] = { "Fig", "FIG", "Tab", "TAB", "Abb" };

    for (size_t i = 0; i < COUNT(names); i++) {
        size_t same = 0;

        while (same < 3 && same < word->n_glyphs &&
               word->glyphs[same].code == (unsigned char) names[i][same])
            same++;
        if (same == 3)
            return true;
    }
    return false;
}

/* Labels at the edges of a chart: few letters, smaller than the text or next to the drawing. */
static bool is_label(const struct line *piece, const struct area *area)
{
    bool level = piece->base > area->y0 && piece->base < area->y1;

    return areas_near(&piece->area, area, level ? FAR : 0.7F * FAR) &&
           count_letters(piece) <= LABEL && piece->words.n < PROSE && !is_caption_piece(piece) &&
           piece->area.x0 > area->x0 - 4 * FAR && piece->area.x1 < area->x1 + 4 * FAR;
}

/* Whether the text in a drawing is rows of figures, as in a panel next to the text. */
static bool is_table_of_figures(const struct line_list *pieces, const struct area *drawn)
{
    const struct line *inside[PIECES];
    size_t n = 0, rows = 0;

    for (size_t i = 0; i < pieces->n && n < PIECES; i++)
        if (holds(drawn, &pieces->items[i].area))
            inside[n++] = &pieces->items[i];
    for (size_t i = 0; i < n; i++) {
        size_t cells = 0;
        bool first = true;

        for (size_t k = 0; k < n; k++)
            if (fabsf(inside[k]->base - inside[i]->base) < 2) {
                cells++;
                first = first && inside[k]->area.x0 >= inside[i]->area.x0;
            }
        rows += first && cells >= CELLS;
    }
    return rows >= ROWS;
}

/* Whether the text in a drawing consists of labels; if so, the area is extended to those at its
 * edges. */
static bool is_labelled(const struct line_list *pieces, struct area *area)
{
    size_t labels = 0, prose = 0, letters = 0;
    struct area drawn = *area;

    for (size_t i = 0; i < pieces->n; i++) {
        const struct line *piece = &pieces->items[i];

        if (holds(&drawn, &piece->area)) {
            labels++;
            letters += count_letters(piece);
            prose +=
                piece->words.n >= PROSE || count_letters(piece) > LABEL || is_caption_piece(piece);
            area_join(area, &piece->area);
        } else if (is_label(piece, &drawn)) {
            labels++;
            area_join(area, &piece->area);
        } else if (areas_near(&piece->area, &drawn, -2)) {
            /* Something goes in from outside. */
            prose++;
        }
    }
    return labels >= LABELS && prose * 5 <= labels && letters <= MOST_TEXT &&
           !is_table_of_figures(pieces, &drawn);
}

struct line_list chart_pieces(struct arena *arena, const struct page_content *content,
                              struct word *words, size_t n)
{
    struct word **list = ARENA_ARRAY(arena, struct word *, n);
    struct line_list lines;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!words[i].claimed_by && !words[i].rotated)
            list[kept++] = &words[i];
    lines = words_make_lines(arena, content, list, kept, true);
    return words_cut_lines(arena, content, &lines, 0.85F, false);
}

/* Whether text is next to the chart: its words would come between the lines of that text. */
static bool has_text_at_side(const struct line_list *pieces, const struct area *area)
{
    size_t n = 0;

    for (size_t i = 0; i < pieces->n; i++) {
        const struct area *a = &pieces->items[i].area;

        n += a->y0 < area->y1 && a->y1 > area->y0 && (a->x0 > area->x1 || a->x1 < area->x0);
    }
    return n >= BESIDE;
}

/* Whether the area cuts through text that does not belong to it. */
static bool cuts(const struct line_list *pieces, const struct area *area)
{
    for (size_t i = 0; i < pieces->n; i++) {
        const struct area *a = &pieces->items[i].area;

        if (areas_near(a, area, -2) && !holds(area, a))
            return true;
    }
    return false;
}

/* What annotations and form fields draw does not belong to a chart. */
static bool is_content(const struct page_content *content, uint32_t order)
{
    return order <= content->content_order;
}

size_t chart_find_all(struct arena *arena, const struct page_content *content, struct word *words,
                      size_t n, struct area *areas)
{
    struct area *parts = ARENA_ARRAY(arena, struct area, MOST);
    struct line_list pieces = { 0 };
    size_t n_parts = 0, found = 0;

    if (content->n_hidden * 2 > content->n_glyphs)
        return 0;
    for (size_t i = 0; i < content->n_drawings; i++)
        if (is_content(content, content->drawings[i].order))
            n_parts = add_part(parts, n_parts, content, &content->drawings[i].area);
    for (size_t i = 0; i < content->n_fills; i++)
        if (!content->fills[i].claimed_by && content->fills[i].color != 0xffffff &&
            is_content(content, content->fills[i].order))
            n_parts = add_part(parts, n_parts, content, &content->fills[i].area);
    n_parts = areas_cluster(parts, n_parts, NEAR);
    for (size_t i = 0; i < n_parts && found < PAGE_CHARTS; i++) {
        struct area area = parts[i];

        if (area_width(&area) < LEAST || area_height(&area) < LEAST || is_large(content, &area) ||
            (!has_curves(content, &area) && !has_bars(content, &area)))
            continue;
        if (pieces.n == 0)
            pieces = chart_pieces(arena, content, words, n);
        if (is_labelled(&pieces, &area) && has_text_at_side(&pieces, &area) &&
            !cuts(&pieces, &area))
            areas[found++] = area;
    }
    return found;
}

/* What is drawn in the area is in its picture. */
static void claim_drawing(struct page_content *content, const struct area *area)
{
    size_t kept = 0;

    for (size_t i = 0; i < content->n_fills; i++)
        if (holds(area, &content->fills[i].area) &&
            area_width(&content->fills[i].area) <= area_width(area) + 1)
            claim_fill(&content->fills[i], OWNER_CHART);
    for (size_t i = 0; i < content->n_drawings; i++)
        if (!holds(area, &content->drawings[i].area) ||
            area_width(&content->drawings[i].area) > area_width(area) + 1 ||
            area_height(&content->drawings[i].area) > area_height(area) + 1)
            content->drawings[kept++] = content->drawings[i];
    content->n_drawings = kept;
}

static size_t write_word(char *out, const struct word *word)
{
    size_t n = 0;

    for (size_t i = 0; i < word->n_glyphs; i++)
        if (unicode_is_text(word->glyphs[i].code))
            n += utf8_encode(word->glyphs[i].code, out + n);
    out[n++] = ' ';
    return n;
}

void chart_claim(struct arena *arena, struct page_content *content, struct word *words, size_t n,
                 const struct area *area, const char **text)
{
    size_t bytes = 0;
    char *out = arena_alloc(arena, 4 * content->n_glyphs + n + 1);

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);

        if (words[i].claimed_by || !area_has(area, at.x, at.y))
            continue;
        claim_word(&words[i], OWNER_CHART);
        bytes += write_word(out + bytes, &words[i]);
    }
    out[bytes ? bytes - 1 : 0] = '\0';
    *text = out;
    claim_drawing(content, area);
}
