#include "engine/ocr/missed_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/layer_fit/text_rows.h"

#define AROUND     2    /* pixels around a word that belong to it */
#define NEXT       1.5  /* heights of letters between those of one part */
#define LEAST_HIGH 5    /* pixels of a part */
#define LEAST_WIDE 1.5  /* times its height */
#define LETTERS    3    /* least letters of a part, if they do not touch */
#define GRAIN      25   /* levels around that of the paper */
#define LEAST_EVEN 0.55 /* part of what is around a part that is even paper */
#define SHADE      45 /* levels by which the paper around a part may be darker than that of the page */
#define TOUCHING   2.5 /* times as wide as high are letters that touch */

void missed_text_prepare(const struct scan *scan, struct missed_text *out)
{
    int step = (int) fmax(round(scan->dpi / TEXT_ROWS_DPI), 1);
    int width = scan->width / step, height = scan->height / step;

    *out = (struct missed_text){ .width = width, .height = height, .dpi = scan->dpi / step };
    out->samples = width > 0 && height > 0 ? malloc((size_t) width * (size_t) height) : NULL;
    for (int y = 0; out->samples && y < height; y++) {
        for (int x = 0; x < width; x++) {
            unsigned sum = 0;

            for (int dy = 0; dy < step; dy++)
                for (int dx = 0; dx < step; dx++)
                    sum += scan->pixels[(size_t) (y * step + dy) * (size_t) scan->width +
                                        (size_t) (x * step + dx)];
            out->samples[(size_t) y * (size_t) width + (size_t) x] =
                (uint8_t) (sum / (unsigned) (step * step));
        }
    }
}

/* A turn about the middle of a page, which comes to the middle of the turned page. */
struct placing {
    double cos, sin, zoom;
    double from_x, from_y, to_x, to_y;
};

static struct placing placing_new(double degrees, double zoom)
{
    double angle = degrees * M_PI / 180;

    return (struct placing){ .cos = cos(angle), .sin = sin(angle), .zoom = zoom };
}

/* The copy turned clockwise, so that it is upright. False: there is no memory for it. */
static bool turn_upright(struct missed_text *missed, int turned)
{
    int w = missed->width, h = missed->height, quads = (turned / 90 % 4 + 4) % 4;
    uint8_t *samples = quads ? malloc((size_t) w * (size_t) h) : NULL;

    if (quads == 0 || !samples)
        return quads == 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int to_x = quads == 1 ? h - 1 - y : quads == 2 ? w - 1 - x : y;
            int to_y = quads == 1 ? x : quads == 2 ? h - 1 - y : w - 1 - x;
            int wide = quads == 2 ? w : h;

            samples[(size_t) to_y * (size_t) wide + (size_t) to_x] =
                missed->samples[(size_t) y * (size_t) w + (size_t) x];
        }
    }
    free(missed->samples);
    missed->samples = samples;
    missed->width = quads == 2 ? w : h;
    missed->height = quads == 2 ? h : w;
    return true;
}

/* From the places of words, in points, to the upright copy, in pixels. */
static struct placing place_words(const struct missed_text *missed, const struct scan *scan,
                                  const struct recognition *read)
{
    double zoom = missed->dpi / 72, w = missed->width / zoom, h = missed->height / zoom;
    int turned = scan->upright ? 0 : read->turned;
    struct placing p = placing_new((scan->level ? (double) read->skew : 0) - turned, zoom);

    p.from_x = (turned % 180 ? h : w) / 2;
    p.from_y = (turned % 180 ? w : h) / 2;
    p.to_x = missed->width / 2.0;
    p.to_y = missed->height / 2.0;
    return p;
}

static int pixel_within(double pixel, int most)
{
    return isfinite(pixel) ? (int) fmax(fmin(pixel, most), 0) : 0;
}

/* The box of a word's four corners in the copy. */
static struct text_rows_letter place_word(const struct missed_text *missed, const struct placing *p,
                                          const struct layer_word *word)
{
    double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;

    for (int i = 0; i < 4; i++) {
        double dx = (double) (i & 1 ? word->right : word->left) - p->from_x;
        double dy = (double) (i & 2 ? word->top : word->bottom) - p->from_y;
        double x = p->to_x + (dx * p->cos - dy * p->sin) * p->zoom;
        double y = p->to_y - (dx * p->sin + dy * p->cos) * p->zoom;

        left = fmin(left, x);
        right = fmax(right, x);
        top = fmin(top, y);
        bottom = fmax(bottom, y);
    }
    return (struct text_rows_letter){ pixel_within(left - AROUND, missed->width),
                                      pixel_within(top - AROUND, missed->height),
                                      pixel_within(ceil(right) + AROUND, missed->width),
                                      pixel_within(ceil(bottom) + AROUND, missed->height) };
}

static void paint_words(const struct missed_text *missed, const struct placing *placing,
                        const struct layer_page *page, uint8_t *covered)
{
    for (uint32_t i = 0; i < page->n_words; i++) {
        struct text_rows_letter at = place_word(missed, placing, &page->words[i]);

        for (int y = at.top; y < at.bottom && at.right > at.left; y++)
            memset(covered + (size_t) y * (size_t) missed->width + at.left, 1,
                   (size_t) (at.right - at.left));
    }
}

/* A part of a row while it grows. */
struct part {
    struct text_rows_letter box;
    size_t n;
    bool touching;
};

static bool is_next(const struct part *part, const struct text_rows_letter *letter)
{
    int high = part->box.bottom - part->box.top;

    return letter->left - part->box.right <= NEXT * high && letter->top < part->box.bottom &&
           letter->bottom > part->box.top;
}

static void join_letter(struct part *part, const struct text_rows_letter *letter)
{
    struct text_rows_letter *box = &part->box;

    if (part->n++ == 0)
        *box = *letter;
    box->left = letter->left < box->left ? letter->left : box->left;
    box->top = letter->top < box->top ? letter->top : box->top;
    box->right = letter->right > box->right ? letter->right : box->right;
    box->bottom = letter->bottom > box->bottom ? letter->bottom : box->bottom;
    part->touching |= letter->right - letter->left >= TOUCHING * (letter->bottom - letter->top);
}

static int median_of(const size_t counts[static 256], size_t n)
{
    size_t below = 0;
    int level = 0;

    while (level < 255 && 2 * (below += counts[level]) < n)
        level++;
    return level;
}

/* The level of most of the page. */
static int paper_of(const struct missed_text *missed)
{
    size_t counts[256] = { 0 }, n = (size_t) missed->width * (size_t) missed->height;

    for (size_t i = 0; i < n; i++)
        counts[missed->samples[i]]++;
    return median_of(counts, n);
}

/* Whether a part has the paper of the page around it, as text has and what looks like letters in a
 * photograph has not. */
static bool is_on_paper(const struct missed_text *missed, int paper,
                        const struct text_rows_letter *box)
{
    int around = (box->bottom - box->top) * 3 / 2;
    int left = pixel_within(box->left - around, missed->width);
    int right = pixel_within(box->right + around, missed->width);
    int bottom = pixel_within(box->bottom + around, missed->height);
    size_t counts[256] = { 0 }, even = 0, all = 0;
    int level;

    for (int y = pixel_within(box->top - around, missed->height); y < bottom; y++) {
        for (int x = left; x < right; x++) {
            size_t at = (size_t) y * (size_t) missed->width + (size_t) x;

            if (x >= box->left && x < box->right && y >= box->top && y < box->bottom)
                continue;
            all++;
            counts[missed->samples[at]]++;
        }
    }
    level = median_of(counts, all);
    for (int i = level > GRAIN ? level - GRAIN : 0; i < 256 && i <= level + GRAIN; i++)
        even += counts[i];
    return level >= paper - SHADE && (double) even >= LEAST_EVEN * (double) all;
}

/* Notes a part of the upright copy in points of the page as it is displayed. */
static void note_part(const struct missed_text *missed, const struct text_rows_letter *box,
                      struct recognition *out)
{
    struct placing p = placing_new(out->turned, 72 / missed->dpi);
    bool on_side = out->turned % 180 != 0;
    double w = missed->width * p.zoom, h = missed->height * p.zoom;
    struct redraw_box *at = &out->missed[out->n_missed];

    for (int i = 0; i < 2; i++) {
        double dx = (i ? box->right : box->left) * p.zoom - w / 2;
        double dy = h / 2 - (i ? box->bottom : box->top) * p.zoom;
        float x = (float) ((on_side ? h : w) / 2 + dx * p.cos - dy * p.sin);
        float y = (float) ((on_side ? w : h) / 2 + dx * p.sin + dy * p.cos);

        at->left = i ? fminf(at->left, x) : x;
        at->right = i ? fmaxf(at->right, x) : x;
        at->bottom = i ? fminf(at->bottom, y) : y;
        at->top = i ? fmaxf(at->top, y) : y;
    }
}

/* Reports a part of the size of a word. */
static void report_part(const struct missed_text *missed, int paper, const struct part *part,
                        struct recognition *out)
{
    const struct text_rows_letter *box = &part->box;
    int wide = box->right - box->left, high = box->bottom - box->top;

    if (high < LEAST_HIGH || wide < LEAST_WIDE * high || (part->n < LETTERS && !part->touching) ||
        !is_on_paper(missed, paper, box))
        return;
    if (out->n_missed < RECOGNITION_MISSED)
        note_part(missed, box, out);
    out->n_missed++;
}

/* Groups the letters that no word covers, from left to right. */
static void group_letters(const struct missed_text *missed, const struct text_rows *rows,
                          uint8_t *covered, struct recognition *out)
{
    AUTO_FREE struct part *parts = calloc(rows->n + 1, sizeof *parts);
    int paper = paper_of(missed);
    size_t n = 0;

    for (size_t i = 0; parts && i < rows->n; i++) {
        const struct text_rows_letter *letter = &rows->letters[i];
        int x = (letter->left + letter->right) / 2, y = (letter->top + letter->bottom) / 2;
        size_t k = n;

        if (covered[(size_t) y * (size_t) missed->width + (size_t) x])
            continue;
        while (k > 0 && !is_next(&parts[k - 1], letter))
            k--;
        join_letter(k > 0 ? &parts[k - 1] : &parts[n++], letter);
    }
    for (size_t i = 0; parts && i < n; i++)
        report_part(missed, paper, &parts[i], out);
}

void missed_text_find(struct missed_text *missed, const struct scan *scan, struct recognition *out)
{
    bool there = missed->samples && turn_upright(missed, out->turned);
    struct placing placing = place_words(missed, scan, out);
    size_t pixels = (size_t) missed->width * (size_t) missed->height;
    AUTO_FREE uint8_t *covered = there ? calloc(pixels + 1, 1) : NULL;
    struct text_rows rows = { 0 };

    out->n_missed = 0;
    if (covered && text_rows_find(missed->samples, missed->width, missed->height, &rows)) {
        paint_words(missed, &placing, &out->page, covered);
        group_letters(missed, &rows, covered, out);
    }
    text_rows_free(&rows);
    free(missed->samples);
    missed->samples = NULL;
}
