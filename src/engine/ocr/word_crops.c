#include "engine/ocr/word_crops.h"

#include <math.h>

#include "engine/ocr/prepare.h"

/* Confidence below which, on pages that are hard to read, two of three words are wrong; about four
 * of five words that are wrong have less. */
#define DOUBTFUL  70
#define MARGIN    3 /* points around the ink of a word */
#define DPI_MOST  180.0
#define SIDE_MOST 1000 /* pixels of a picture */

bool word_crops_wants(const struct layer_word *word)
{
    return word->confidence < DOUBTFUL;
}

/* The place of a point of the page in the picture. */
static void to_pixels(const double m[6], double x, double y, double *px, double *py)
{
    double det = m[0] * m[3] - m[1] * m[2];

    x -= m[4];
    y -= m[5];
    *px = (m[3] * x - m[2] * y) / det;
    *py = (m[0] * y - m[1] * x) / det;
}

struct cut {
    int left, top, width, height; /* pixels of the page's picture */
    int step;                     /* of them that become one, across and down */
};

/* Where a word is in the picture; false: it is not in it, or too large for a picture of a word. */
static bool place_cut(const struct prepared *prepared, const struct layer_word *word,
                      struct cut *cut)
{
    double w = pixGetWidth(prepared->before), h = pixGetHeight(prepared->before);
    double x0, y0, x1, y1;

    to_pixels(prepared->to_page, (double) word->left - MARGIN, (double) word->top + MARGIN, &x0,
              &y0);
    to_pixels(prepared->to_page, (double) word->right + MARGIN, (double) word->bottom - MARGIN, &x1,
              &y1);
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1))
        return false;
    x0 = fmax(floor(x0), 0);
    y0 = fmax(floor(y0), 0);
    x1 = fmin(ceil(x1), w);
    y1 = fmin(ceil(y1), h);
    if (x1 - x0 < 2 || y1 - y0 < 2)
        return false;
    cut->step = (int) fmax(ceil(prepared->dpi / DPI_MOST), 1);
    cut->left = (int) x0;
    cut->top = (int) y0;
    cut->width = (int) (x1 - x0) / cut->step;
    cut->height = (int) (y1 - y0) / cut->step;
    return cut->width > 0 && cut->height > 0 && cut->width <= SIDE_MOST && cut->height <= SIDE_MOST;
}

static uint8_t mean_of(struct Pix *picture, int x, int y, int step)
{
    l_uint32 *data = pixGetData(picture);
    size_t words = (size_t) pixGetWpl(picture);
    unsigned sum = 0;

    for (int dy = 0; dy < step; dy++) {
        l_uint32 *line = data + (size_t) (y + dy) * words;

        for (int dx = 0; dx < step; dx++)
            sum += GET_DATA_BYTE(line, x + dx);
    }
    return (uint8_t) (sum / (unsigned) (step * step));
}

static void cut_word(const struct prepared *prepared, const struct layer_word *word, uint32_t index,
                     struct word_crops *crops)
{
    struct cut cut;
    uint8_t *to = crops->pixels + crops->n_pixels;
    size_t n;

    if (!place_cut(prepared, word, &cut))
        return;
    n = (size_t) cut.width * (size_t) cut.height;
    if (n > WORD_CROPS_BYTES - crops->n_pixels)
        return;
    for (int y = 0; y < cut.height; y++)
        for (int x = 0; x < cut.width; x++)
            *to++ = mean_of(prepared->before, cut.left + x * cut.step, cut.top + y * cut.step,
                            cut.step);
    crops->crops[crops->n++] =
        (struct word_crop){ index, crops->n_pixels, (uint32_t) cut.width, (uint32_t) cut.height };
    crops->n_pixels += (uint32_t) n;
}

void word_crops_cut(struct scan *scan, const struct recognition *read, struct word_crops *crops)
{
    const struct layer_page *page = &read->page;
    struct prepared prepared;
    struct err ignored;
    uint32_t first = 0;

    crops->n = crops->n_pixels = 0;
    while (first < page->n_words && !word_crops_wants(&page->words[first]))
        first++;
    if (first == page->n_words || prepare_scan(scan, read->turned, &prepared, &ignored) < 0)
        return;
    for (uint32_t i = first; prepared.before && i < page->n_words && crops->n < WORD_CROPS; i++)
        if (word_crops_wants(&page->words[i]))
            cut_word(&prepared, &page->words[i], i, crops);
    prepare_free(&prepared);
}

bool word_crops_are_sound(const struct word_crops *crops, uint32_t n_words)
{
    if (crops->n > WORD_CROPS || crops->n_pixels > WORD_CROPS_BYTES)
        return false;
    for (uint32_t i = 0; i < crops->n; i++) {
        const struct word_crop *crop = &crops->crops[i];

        if (crop->word >= n_words || (i > 0 && crop->word <= crop[-1].word) || crop->width == 0 ||
            crop->height == 0 || crop->width > SIDE_MOST || crop->height > SIDE_MOST ||
            crop->at > crops->n_pixels || crop->width * crop->height > crops->n_pixels - crop->at)
            return false;
    }
    return true;
}
