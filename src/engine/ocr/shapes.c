#include "engine/ocr/shapes.h"

#include <math.h>
#include <string.h>

#define DARK          190  /* gray that counts as ink */
#define LEAST_LENGTH  0.3  /* inches of a line */
#define GAP           0.01 /* inches of the gaps that a line may have */
#define MOST_THICK    0.06 /* inches */
#define MOST_AROUND   0.3  /* part of the pixels along the sides of a line that may be ink */
#define EDGE          2    /* pixels */
#define DARK_PICTURE  170  /* gray that counts as a part of a picture */
#define LEAST_INK     0.1  /* part of a picture's box */
#define CERTAIN       60   /* least confidence of a word that is one */
#define FEW_WORDS     5    /* may be in a picture */
#define MARGIN        4    /* pixels around words and lines that belong to them */
#define REDUCED       8    /* pixels in one of the picture in which pictures are searched */
#define LEAST_PICTURE 0.4  /* inches of a side of a picture */
#define LEAST_LEFT    0.3  /* inches of both sides of what is left */
#define MOST_TEXT     0.5  /* part of it that words of any confidence may cover */

static struct redraw_box on_page(const struct prepared *prepared, int x, int y, int w, int h)
{
    const double *m = prepared->to_page;
    double x0 = m[0] * x + m[2] * y + m[4], y0 = m[1] * x + m[3] * y + m[5];
    double x1 = m[0] * (x + w) + m[2] * (y + h) + m[4];
    double y1 = m[1] * (x + w) + m[3] * (y + h) + m[5];

    return (struct redraw_box){ (float) fmin(x0, x1), (float) fmin(y0, y1), (float) fmax(x0, x1),
                                (float) fmax(y0, y1) };
}

/* Whether there is little ink along both sides of a line: letters in a row have that. */
static bool is_free(struct Pix *ink, int x, int y, int w, int h, bool level)
{
    struct Box *before = level ? boxCreate(x, y - 4, w, 2) : boxCreate(x - 4, y, 2, h);
    struct Box *after = level ? boxCreate(x, y + h + 2, w, 2) : boxCreate(x + w + 2, y, 2, h);
    l_int32 n = 0, more = 0;

    if (before)
        pixCountPixelsInRect(ink, before, &n, NULL);
    if (after)
        pixCountPixelsInRect(ink, after, &more, NULL);
    boxDestroy(&before);
    boxDestroy(&after);
    return n + more < MOST_AROUND * 4 * (level ? w : h);
}

/* Paints a line over, with the pale pixels at its edges. */
static void paint_over(struct Pix *picture, struct Pix *part, int x, int y, bool level)
{
    for (int i = -EDGE; i <= EDGE; i++)
        pixSetMaskedGeneral(picture, part, 255, level ? x : x + i, level ? y + i : y);
}

/* A line that is not quite level is thicker than its ink: its thickness is that of its area. */
static void add_rule(const struct prepared *prepared, struct Pix *ink, struct Pix *part,
                     struct Box *box, bool level, struct page_shapes *out)
{
    int x, y, w, h, length, thick;
    l_int32 area = 0;

    boxGetGeometry(box, &x, &y, &w, &h);
    pixCountPixels(part, &area, NULL);
    length = level ? w : h;
    thick = (area + length / 2) / length;
    thick = thick < 1 ? 1 : thick;
    if (thick > MOST_THICK * prepared->dpi || out->n_rules == SHAPES_RULES ||
        !is_free(ink, x, y, w, h, level))
        return;
    paint_over(prepared->picture, part, x, y, level);
    if (level)
        y += (h - thick) / 2;
    else
        x += (w - thick) / 2;
    out->rules[out->n_rules++] = on_page(prepared, x, y, level ? w : thick, level ? thick : h);
}

static void find_direction(const struct prepared *prepared, struct Pix *ink, bool level,
                           struct page_shapes *out)
{
    int length = (int) (LEAST_LENGTH * prepared->dpi), gap = (int) (GAP * prepared->dpi) + 1;
    struct Pix *closed = pixCloseSafeBrick(NULL, ink, level ? gap : 1, level ? 1 : gap);
    struct Pix *lines =
        closed ? pixOpenBrick(NULL, closed, level ? length : 1, level ? 1 : length) : NULL;
    struct Pixa *parts = NULL;
    struct Boxa *boxes = lines ? pixConnComp(lines, &parts, 8) : NULL;

    for (int i = 0; boxes && parts && i < boxaGetCount(boxes); i++) {
        struct Box *box = boxaGetBox(boxes, i, L_CLONE);
        struct Pix *part = pixaGetPix(parts, i, L_CLONE);

        if (box && part)
            add_rule(prepared, ink, part, box, level, out);
        boxDestroy(&box);
        pixDestroy(&part);
    }
    boxaDestroy(&boxes);
    pixaDestroy(&parts);
    pixDestroy(&lines);
    pixDestroy(&closed);
}

void shapes_remove_rules(const struct prepared *prepared, struct page_shapes *out)
{
    struct Pix *ink = pixConvertTo1(prepared->picture, DARK);

    out->n_rules = 0;
    if (!ink)
        return;
    find_direction(prepared, ink, true, out);
    find_direction(prepared, ink, false, out);
    pixDestroy(&ink);
}

/* How much of a level line goes through the word. */
static float overlap(const struct layer_word *word, const struct redraw_box *rule)
{
    float y = (rule->bottom + rule->top) / 2, left = fmaxf(word->left, rule->left);

    /* A line under the word touches its descenders, or is part of its box. */
    if (y > word->top || y < (word->y0 + word->y1) / 2 - 0.5F)
        return 0;
    return fmaxf(fminf(word->right, rule->right) - left, 0);
}

static bool is_stroke(const struct layer_page *page, const struct redraw_box *rule)
{
    float through = 0, length = rule->right - rule->left;

    for (uint32_t i = 0; i < page->n_words; i++)
        through += overlap(&page->words[i], rule);
    return length > rule->top - rule->bottom && through > 0.4F * length;
}

void shapes_drop_strokes(const struct layer_page *page, struct page_shapes *out)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < out->n_rules; i++)
        if (!is_stroke(page, &out->rules[i]))
            out->rules[kept++] = out->rules[i];
    out->n_rules = kept;
}

static bool box_holds(const struct redraw_box *outer, const struct redraw_box *inner)
{
    return inner->left >= outer->left - 1 && inner->right <= outer->right + 1 &&
           inner->bottom >= outer->bottom - 1 && inner->top <= outer->top + 1;
}

static void drop_rules_in(const struct redraw_box *picture, struct page_shapes *out)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < out->n_rules; i++)
        if (!box_holds(picture, &out->rules[i]))
            out->rules[kept++] = out->rules[i];
    out->n_rules = kept;
}

/* Removes a box of the page, and some pixels around it, from the ink. */
static void clear_box(const struct prepared *prepared, const struct redraw_box *box,
                      struct Pix *ink)
{
    const double *m = prepared->to_page;
    double left = (box->left - m[4]) / m[0], right = (box->right - m[4]) / m[0];
    double top = (box->top - m[5]) / m[3], bottom = (box->bottom - m[5]) / m[3];
    struct Box *place;

    if (!isfinite(left + right + top + bottom))
        return;
    place = boxCreate((int) left - MARGIN, (int) top - MARGIN, (int) (right - left) + 2 * MARGIN,
                      (int) (bottom - top) + 2 * MARGIN);
    if (place)
        pixClearInRect(ink, place);
    boxDestroy(&place);
}

static int words_in(const struct layer_page *page, const struct redraw_box *box)
{
    int n = 0;

    for (uint32_t i = 0; i < page->n_words; i++) {
        const struct layer_word *word = &page->words[i];
        const struct redraw_box own = { word->left, word->bottom, word->right, word->top };

        n += word->confidence >= CERTAIN && box_holds(box, &own);
    }
    return n;
}

/* Whether words, certain or not, cover most of a box. */
static bool is_word_area(const struct layer_page *page, const struct redraw_box *box)
{
    float area = (box->right - box->left) * (box->top - box->bottom), covered = 0;

    for (uint32_t i = 0; i < page->n_words; i++) {
        const struct layer_word *word = &page->words[i];
        float width = fminf(word->right, box->right) - fmaxf(word->left, box->left);
        float height = fminf(word->top, box->top) - fmaxf(word->bottom, box->bottom);

        if (width > 0 && height > 0)
            covered += width * height;
    }
    return covered > MOST_TEXT * area;
}

/* An area with words is the background of text. */
static void add_picture(const struct prepared *prepared, const struct layer_page *page,
                        struct Pix *part, struct Box *box, struct page_shapes *out)
{
    int x, y, w, h;
    l_int32 n = 0;
    double least = LEAST_PICTURE * prepared->dpi / REDUCED;
    struct redraw_box found;

    boxGetGeometry(box, &x, &y, &w, &h);
    pixCountPixels(part, &n, NULL);
    found = on_page(prepared, x * REDUCED, y * REDUCED, w * REDUCED, h * REDUCED);
    if (w < least || h < least || n < LEAST_INK * w * h || out->n_pictures == SHAPES_PICTURES ||
        words_in(page, &found) > FEW_WORDS)
        return;
    out->pictures[out->n_pictures++] = found;
    drop_rules_in(&found, out);
}

/* The ink without words and lines. */
static struct Pix *other_ink(const struct prepared *prepared, const struct layer_page *page,
                             const struct page_shapes *shapes)
{
    struct Pix *ink = prepared->before ? pixConvertTo1(prepared->before, DARK_PICTURE) : NULL;

    for (uint32_t i = 0; ink && i < page->n_words; i++) {
        const struct layer_word *word = &page->words[i];
        const struct redraw_box box = { word->left, word->bottom, word->right, word->top };

        if (word->confidence >= CERTAIN)
            clear_box(prepared, &box, ink);
    }
    for (uint32_t i = 0; ink && i < shapes->n_rules; i++)
        clear_box(prepared, &shapes->rules[i], ink);
    return ink;
}

/* The same in pixels of REDUCED pixels, joined where it is near. */
static struct Pix *joined_ink(struct Pix *ink)
{
    struct Pix *small = ink ? pixReduceRankBinaryCascade(ink, 2, 2, 2, 0) : NULL;
    struct Pix *joined = small ? pixCloseSafeBrick(NULL, small, 3, 3) : NULL;

    pixDestroy(&small);
    return joined;
}

static bool is_in_picture(const struct page_shapes *shapes, const struct redraw_box *box)
{
    for (uint32_t i = 0; i < shapes->n_pictures; i++)
        if (box_holds(&shapes->pictures[i], box))
            return true;
    return false;
}

/* Counts what is in no picture and larger than letters: the result lacks it. */
static void count_left(const struct prepared *prepared, const struct layer_page *page,
                       struct Pix *ink, struct page_shapes *out)
{
    struct Boxa *boxes = ink ? pixConnComp(ink, NULL, 8) : NULL;
    double least = LEAST_LEFT * prepared->dpi;

    for (int i = 0; boxes && i < boxaGetCount(boxes); i++) {
        int x, y, w, h;
        struct redraw_box found;

        boxaGetBoxGeometry(boxes, i, &x, &y, &w, &h);
        if (w < least || h < least)
            continue;
        found = on_page(prepared, x, y, w, h);
        out->n_left += !is_word_area(page, &found) && !is_in_picture(out, &found);
    }
    boxaDestroy(&boxes);
}

void shapes_find_pictures(const struct prepared *prepared, const struct layer_page *page,
                          struct page_shapes *out)
{
    struct Pix *ink = other_ink(prepared, page, out), *joined = joined_ink(ink);
    struct Pixa *parts = NULL;
    struct Boxa *boxes = joined ? pixConnComp(joined, &parts, 8) : NULL;

    out->n_pictures = out->n_left = 0;
    for (int i = 0; boxes && parts && i < boxaGetCount(boxes); i++) {
        struct Box *box = boxaGetBox(boxes, i, L_CLONE);
        struct Pix *part = pixaGetPix(parts, i, L_CLONE);

        if (box && part)
            add_picture(prepared, page, part, box, out);
        boxDestroy(&box);
        pixDestroy(&part);
    }
    count_left(prepared, page, ink, out);
    boxaDestroy(&boxes);
    pixaDestroy(&parts);
    pixDestroy(&joined);
    pixDestroy(&ink);
}
