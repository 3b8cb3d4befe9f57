#include "layout/blocks/diagram.h"

#include <math.h>

#include "layout/blocks/chart.h"
#include "layout/blocks/rotated_text.h"
#include "layout/paragraph/spans.h"

#define LABELS  3     /* in a diagram, at least */
#define LABEL   40    /* letters of one, at most */
#define PROSE   6     /* words of running text */
#define GAP     0.6F  /* sizes between words of one rotated line, at most */
#define DRAWN   4     /* parts of a drawing, at least */
#define THICK   2     /* points: thinner areas are lines */
#define STRIPE  0.5F  /* of the page's width: wider areas are stripes or backgrounds */
#define SPREAD  0.25F /* of the page that the drawing covers, at least */
#define EDGE    12.0F /* points between a page's edge and a label of a figure that was cut out */
#define EDGES   3     /* that labels have to reach */
#define UPRIGHT 0.3F  /* of the words, which go up or down */

/* Running text, and not a label or the numbers along an axis. */
static bool is_prose(const struct line *piece)
{
    size_t words = 0, letters = 0;

    for (size_t i = 0; i < piece->words.n; i++) {
        const struct word *word = piece->words.items[i];

        if (word->n_glyphs > 1 && (word->glyphs->code < '0' || word->glyphs->code > '9')) {
            words++;
            letters += word->n_glyphs + 1;
        }
    }
    return words >= PROSE || letters > LABEL;
}

static void add_area(struct area *all, size_t *n, const struct area *area)
{
    if ((*n)++ == 0)
        *all = *area;
    else
        area_join(all, area);
}

/* Whether there is a drawing, apart from the lines of a table, its stripes and backgrounds. */
static bool is_drawn(const struct page_content *content)
{
    struct area all = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < content->n_drawings; i++)
        add_area(&all, &n, &content->drawings[i].area);
    for (size_t i = 0; i < content->n_fills; i++) {
        const struct fill *fill = &content->fills[i];
        float width = area_width(&fill->area);

        if (width > THICK && area_height(&fill->area) > THICK && width < STRIPE * content->width &&
            fill->color != 0xffffff)
            add_area(&all, &n, &fill->area);
    }
    return n >= DRAWN &&
           area_width(&all) * area_height(&all) > SPREAD * content->width * content->height;
}

bool diagram_is(struct arena *arena, const struct page_content *content, struct word *words,
                size_t n)
{
    struct line_list pieces;
    size_t prose = 0, labels = 0;

    if (n < LABELS || content->n_hidden * 2 > content->n_glyphs || content->n_fields ||
        !is_drawn(content))
        return false;
    pieces = chart_pieces(arena, content, words, n);
    for (size_t i = 0; i < pieces.n; i++)
        prose += is_prose(&pieces.items[i]);
    labels = pieces.n;
    for (size_t i = 0; i < n; i++)
        labels += words[i].rotated;
    return labels >= LABELS && prose * 20 <= labels;
}

bool diagram_is_sure(const struct page_content *content, const struct word *words, size_t n)
{
    bool edges[4] = { false };
    size_t n_rotated = 0, reached = 0;

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);
        float half = words[i].rotated ? words[i].size / 2 : area_width(&words[i].area) / 2;

        if (words[i].rotated && !rotated_text_is_quarter(&words[i]))
            return false;
        n_rotated += words[i].rotated;
        edges[0] |= at.x - half < EDGE;
        edges[1] |= at.x + half > content->width - EDGE;
        edges[2] |= at.y - words[i].size / 2 < EDGE;
        edges[3] |= at.y + words[i].size / 2 > content->height - EDGE;
    }
    for (size_t i = 0; i < 4; i++)
        reached += edges[i];
    return reached >= EDGES || (float) n_rotated > UPRIGHT * (float) n;
}

/* Where it is in the coordinates of the page, of which the text's are rotated by the angle. */
static void put_piece(const struct flow *flow, const struct line *piece, float angle,
                      struct page *page)
{
    struct flow plain = *flow;
    struct text_box *box = &page->text_boxes[page->n_text_boxes++];
    float along = (piece->area.x0 + piece->area.x1) / 2;
    float across = (piece->area.y0 + piece->area.y1) / 2;

    plain.plain = true;
    *box = (struct text_box){ .owner = OWNER_DIAGRAM,
                              .x = along * cosf(angle) - across * sinf(angle),
                              .y = along * sinf(angle) + across * cosf(angle),
                              .width = area_width(&piece->area) + piece->size,
                              .height = area_height(&piece->area) + 0.3F * piece->size,
                              .angle = angle * 180 / (float) M_PI };
    box->paragraph.line = piece->size * 1.17F;
    box->paragraph.shade = STYLE_PLAIN;
    box->paragraph.align = ALIGN_CENTER;
    for (size_t i = 0; i < piece->words.n; i++)
        claim_word(piece->words.items[i], OWNER_DIAGRAM);
    spans_make(&plain, piece, 1, 0, &box->paragraph);
}

static bool continues_label(const struct word *before, const struct word *word)
{
    return word->rotated && !word->claimed_by &&
           fabsf(before->glyphs->angle - word->glyphs->angle) < 0.02F &&
           fabsf(before->base - word->base) < 0.3F * before->size &&
           fabsf(word->area.x0 - before->area.x1) < GAP * before->size;
}

/* Rotated words, each with those that continue its line. */
static void put_rotated(const struct flow *flow, struct word *words, size_t n, struct page *page)
{
    for (size_t i = 0; i < n;) {
        struct line line = { .size = words[i].size, .base = words[i].base, .area = words[i].area };
        float angle = words[i].glyphs->angle;

        if (!words[i].rotated || words[i].claimed_by) {
            i++;
            continue;
        }
        do {
            area_join(&line.area, &words[i].area);
            *ARENA_ADD(flow->arena, &line.words) = &words[i++];
        } while (i < n && continues_label(&words[i - 1], &words[i]));
        put_piece(flow, &line, angle, page);
    }
}

void diagram_put(const struct flow *flow, struct word *words, size_t n, struct page *page)
{
    struct line_list pieces = chart_pieces(flow->arena, flow->content, words, n);

    page->text_boxes = ARENA_ARRAY(flow->arena, struct text_box, n);
    for (size_t i = 0; i < pieces.n; i++)
        put_piece(flow, &pieces.items[i], 0, page);
    put_rotated(flow, words, n, page);
}
