#include "engine/ocr/strokes.h"

#include <math.h>

#define DARK 150 /* gray that counts as ink */

/* Of a picture: how long the runs of ink are that each pixel is part of. */
struct runs {
    struct Pix *level, *upright;
};

struct sums {
    double stem, bar;
    int n_stem, n_bar;
};

/* A stroke is as thick as its shorter run is long: upright if that is level. */
static void add_row(const struct runs *runs, int y, int from, int to, struct sums *sums)
{
    const l_uint32 *level = pixGetData(runs->level) + (ptrdiff_t) y * pixGetWpl(runs->level);
    const l_uint32 *upright = pixGetData(runs->upright) + (ptrdiff_t) y * pixGetWpl(runs->upright);

    for (int x = from; x < to; x++) {
        int along = GET_DATA_BYTE(level, x), across = GET_DATA_BYTE(upright, x);

        if (along > 0 && along < across) {
            sums->stem += along;
            sums->n_stem++;
        } else if (across > 0 && across < along) {
            sums->bar += across;
            sums->n_bar++;
        }
    }
}

static int within(double value, int most)
{
    return value <= 0 || !isfinite(value) ? 0 : value >= most ? most : (int) value;
}

static void measure_word(const struct prepared *prepared, const struct runs *runs,
                         struct layer_word *word)
{
    const double *m = prepared->to_page;
    int w = pixGetWidth(runs->level), h = pixGetHeight(runs->level);
    int left = within((word->left - m[4]) / m[0], w),
        right = within((word->right - m[4]) / m[0], w);
    int top = within((word->top - m[5]) / m[3], h),
        bottom = within((word->bottom - m[5]) / m[3], h);
    struct sums sums = { 0 };

    for (int y = top; y < bottom; y++)
        add_row(runs, y, left, right, &sums);
    word->stem = sums.n_stem ? (float) (sums.stem / sums.n_stem * m[0]) : 0;
    word->bar = sums.n_bar ? (float) (sums.bar / sums.n_bar * m[0]) : 0;
}

void strokes_measure(const struct prepared *prepared, struct layer_page *page)
{
    struct Pix *ink = pixConvertTo1(prepared->picture, DARK);
    struct runs runs = { 0 };

    if (ink) {
        runs.level = pixRunlengthTransform(ink, 1, L_HORIZONTAL_RUNS, 8);
        runs.upright = pixRunlengthTransform(ink, 1, L_VERTICAL_RUNS, 8);
    }
    for (uint32_t i = 0; runs.level && runs.upright && i < page->n_words; i++)
        measure_word(prepared, &runs, &page->words[i]);
    pixDestroy(&runs.level);
    pixDestroy(&runs.upright);
    pixDestroy(&ink);
}
