#include "engine/layer_fit/layer_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/layer_fit/layer_words.h"
#include "engine/layer_fit/odd_words.h"
#include "engine/layer_fit/text_rows.h"
#include "engine/mupdf/engine.h"
#include "engine/page_image/page_drawing.h"

#define SIDE_MOST   4000 /* pixels of the picture; the resolution of a larger page is less */
#define PIXELS_MOST (8LL * 1000 * 1000)
#define AROUND      0.35 /* of a box's height: ink so near belongs to the word */
#define REACH       0.5  /* of a box's height: a space is searched so far inside of words */
#define MIDDLE      0.25 /* of a box's height that is above and below its middle */
#define LEAST_INK   0.04 /* part of that middle */
#define MOST_SPACE  2.0  /* of a box's height */
/* Layers of Tesseract, of ours and of ocrmypdf on clean and noisy pages in twelve languages have 0
 * in nearly all of these; what no language writes is in 6 to 31 of 100 words of a page that was
 * read in another script. */
#define FEW            20 /* words, letters or spaces say nothing */
#define MOST_ODD       0.06
#define MOST_SYMBOLS   0.5
#define MOST_UNKNOWN   0.2
#define MOST_UNCOVERED 0.3
#define MOST_BARE      0.2
#define MOST_CROSSED   0.15

static void free_pixels(uint8_t **pixels)
{
    free(*pixels);
}

/* A rectangle of the picture, cut to it. */
static struct text_rows_letter cut_to_rows(const struct text_rows *rows, double left, double top,
                                           double right, double bottom)
{
    double w = rows->width, h = rows->height;

    return (struct text_rows_letter){ (int) fmin(fmax(left, 0), w), (int) fmin(fmax(top, 0), h),
                                      (int) fmin(fmax(right, 0), w),
                                      (int) fmin(fmax(bottom, 0), h) };
}

/* Whether the middle of a word's box, where its small letters are, has ink. */
static bool has_ink(const struct text_rows *rows, const struct layer_words_box *box)
{
    double high = box->bottom - box->top;
    struct text_rows_letter at = cut_to_rows(rows, box->left, box->top + MIDDLE * high,
                                             ceil(box->right), ceil(box->bottom - MIDDLE * high));
    int area = (at.right - at.left) * (at.bottom - at.top), n = 0;

    for (int y = at.top; y < at.bottom; y++)
        for (int x = at.left; x < at.right; x++)
            n += rows->ink[(size_t) y * (size_t) rows->width + (size_t) x];
    return n > 1 && n >= LEAST_INK * area;
}

/* Whether the place between two words of a line, or next to it, has two columns of pixels without
 * ink one after the other. */
static bool has_space(const struct text_rows *rows, const struct layer_words_box *a,
                      const struct layer_words_box *b)
{
    double top = fmax(a->top, b->top), bottom = fmin(a->bottom, b->bottom);
    double high = bottom - top;
    struct text_rows_letter at = cut_to_rows(rows, a->right - REACH * high, top + high / 4,
                                             ceil(b->left + REACH * high), bottom - high / 4);
    int clear = 0;

    for (int x = at.left; x < at.right && clear < 2; x++) {
        bool inked = false;

        for (int y = at.top; y < at.bottom && !inked; y++)
            inked = rows->ink[(size_t) y * (size_t) rows->width + (size_t) x];
        clear = inked ? 0 : clear + 1;
    }
    return clear == 2 || at.bottom <= at.top || at.right <= at.left;
}

static void measure_words(const struct text_rows *rows, const struct layer_words *words,
                          struct layer_fit *fit)
{
    size_t bare = 0, boxes = 0, crossed = 0;

    for (size_t i = 0; i < words->n; i++) {
        const struct layer_words_box *box = &words->boxes[i], *next = box + 1;
        double high = box->bottom - box->top;

        if (box->letters < 2)
            continue;
        boxes++;
        bare += !has_ink(rows, box);
        if (!box->followed || i + 1 == words->n || next->letters < 2 || next->left < box->right ||
            next->left - box->right > MOST_SPACE * high)
            continue;
        fit->spaces++;
        crossed += !has_space(rows, box, next);
    }
    fit->words = boxes;
    fit->bare = boxes ? (double) bare / (double) boxes : 0;
    fit->crossed = fit->spaces ? (double) crossed / (double) fit->spaces : 0;
}

/* Paints the places of words. */
static void paint_words(const struct text_rows *rows, const struct layer_words *words,
                        uint8_t *covered)
{
    for (size_t i = 0; i < words->n; i++) {
        const struct layer_words_box *box = &words->boxes[i];
        double around = AROUND * fmin(box->bottom - box->top, box->right - box->left);
        struct text_rows_letter at =
            cut_to_rows(rows, box->left - around, box->top - around, ceil(box->right + around),
                        ceil(box->bottom + around));

        for (int y = at.top; y < at.bottom && at.right > at.left; y++)
            memset(covered + (size_t) y * (size_t) rows->width + at.left, 1,
                   (size_t) (at.right - at.left));
    }
}

static int measure_letters(const struct text_rows *rows, const struct layer_words *words,
                           struct layer_fit *fit, struct err *err)
{
    AUTO_FREE uint8_t *covered = calloc((size_t) rows->width * (size_t) rows->height + 1, 1);
    double all = 0, without = 0;

    if (!covered)
        return engine_no_memory(err);
    paint_words(rows, words, covered);
    for (size_t i = 0; i < rows->n; i++) {
        const struct text_rows_letter *letter = &rows->letters[i];
        int x = (letter->left + letter->right) / 2, y = (letter->top + letter->bottom) / 2;
        double wide = letter->right - letter->left;

        all += wide;
        without += covered[(size_t) y * (size_t) rows->width + (size_t) x] ? 0 : wide;
    }
    fit->letters = rows->n;
    fit->uncovered = all > 0 ? without / all : 0;
    return 0;
}

static void measure_spelling(const struct layer_words *words, struct layer_fit *fit)
{
    const struct odd_words *counts = &words->counts;
    size_t tokens = counts->words + counts->symbols, all = counts->known + counts->unknown;

    fit->odd = counts->words >= FEW ? (double) counts->odd / (double) counts->words : 0;
    fit->symbols = tokens >= FEW ? (double) counts->symbols / (double) tokens : 0;
    fit->unknown = all >= FEW ? (double) counts->unknown / (double) all : 0;
}

/* Draws the page in gray. The caller frees the pixels. */
static int draw_gray(struct mupdf_document *doc, size_t page, double *dpi, int *width, int *height,
                     uint8_t **pixels, struct err *err)
{
    struct page_drawing_options options = {
        .dpi = TEXT_ROWS_DPI, .kind = PIXMAP_GRAY, .max_pixels = PIXELS_MOST, .max_side = SIDE_MOST
    };
    struct page_drawing drawing;
    int done;

    if (page_drawing_open(&drawing, doc, page, &options, err) < 0)
        return -1;
    *dpi = options.dpi;
    *width = drawing.width;
    *height = drawing.height;
    *pixels = malloc((size_t) drawing.width * (size_t) drawing.height + 1);
    done = *pixels ? page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, *pixels, NULL, err)
                   : engine_no_memory(err);
    page_drawing_close(&drawing, doc);
    return done;
}

int layer_fit_measure(struct mupdf_document *doc, size_t page, struct layer_fit *fit,
                      struct err *err)
{
    __attribute__((cleanup(free_pixels))) uint8_t *pixels = NULL;
    __attribute__((cleanup(layer_words_free))) struct layer_words words = { 0 };
    __attribute__((cleanup(text_rows_free))) struct text_rows rows = { 0 };
    int width = 0, height = 0;
    double dpi = 0;

    *fit = (struct layer_fit){ 0 };
    if (draw_gray(doc, page, &dpi, &width, &height, &pixels, err) < 0 ||
        layer_words_read(doc, page, dpi / 72, &words, err) < 0)
        return -1;
    if (!text_rows_find(pixels, width, height, &rows))
        return engine_no_memory(err);
    measure_spelling(&words, fit);
    measure_words(&rows, &words, fit);
    return measure_letters(&rows, &words, fit, err);
}

enum layer_fault layer_fit_fault(const struct layer_fit *fit)
{
    if (fit->odd > MOST_ODD || fit->symbols > MOST_SYMBOLS || fit->unknown > MOST_UNKNOWN)
        return LAYER_ODD;
    if ((fit->words >= FEW && fit->bare > MOST_BARE) ||
        (fit->spaces >= 2 * FEW && fit->crossed > MOST_CROSSED))
        return LAYER_MISPLACED;
    if (fit->letters >= 5 * FEW && fit->uncovered > MOST_UNCOVERED)
        return LAYER_SHORT;
    return LAYER_FITS;
}
