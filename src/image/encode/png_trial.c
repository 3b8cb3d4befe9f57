#include "image/encode/png_trial.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "image/encode/deflate.h"

/* Without a trial no filter is used if fewer bytes than one in FLAT are new, that is, differ
 * from the left and the upper neighbour; or if those that are new differ by EDGE or more on
 * average, as only edges of text and lines do. */
#define FLAT 256
#define EDGE 32

#define MOST_GRANTED 3 /* limit of the bands that one trial decides for */

struct png_trial {
    struct deflate *deflate;
    struct buf out;
    uint8_t *row; /* one filtered row */
    size_t cap;
    /* The result of the last trial: how much was new, and for how many similar bands it is used.
     * The more trials agree, the longer it is used. */
    size_t new_sum;
    unsigned agreed, granted;
};

struct png_trial *png_trial_new(struct err *err)
{
    struct png_trial *trial = calloc(1, sizeof *trial);

    if (!trial) {
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    trial->deflate = deflate_new(err);
    if (!trial->deflate) {
        png_trial_free(trial);
        return NULL;
    }
    return trial;
}

void png_trial_free(struct png_trial *trial)
{
    if (!trial)
        return;
    deflate_free(trial->deflate);
    buf_free(&trial->out);
    free(trial->row);
    free(trial);
}

struct newness {
    /* number of new bytes, and the sum of their differences from the nearer neighbour */
    size_t bytes, sum;
};

static struct newness newness_of(const uint8_t *row, const uint8_t *up, size_t n, size_t pixel)
{
    uint32_t bytes = 0, sum = 0;

    for (size_t i = pixel; i < n; i++) {
        uint8_t left = (uint8_t) abs(row[i] - row[i - pixel]),
                above = (uint8_t) abs(row[i] - up[i]);
        uint8_t nearer = left < above ? left : above;

        bytes += nearer != 0;
        sum += nearer;
    }
    return (struct newness){ bytes, sum };
}

/* The compressed size of the rows with this filter. */
static size_t cost(struct png_trial *trial, enum png_filter filter, const uint8_t *rows,
                   size_t n_rows, size_t n, size_t pixel)
{
    buf_drop(&trial->out, trial->out.len);
    deflate_begin(trial->deflate, n + 1, pixel, &trial->out);
    for (size_t y = 1; y < n_rows; y++) {
        png_filter_apply(filter, rows + y * n, rows + (y - 1) * n, n, pixel, trial->row);
        deflate_put(trial->deflate, trial->row, n + 1);
    }
    deflate_end(trial->deflate);
    return trial->out.len;
}

/* False without memory: using no filter is always valid. */
static bool make_trial_rows(struct png_trial *trial, size_t n)
{
    if (trial->cap < n) {
        free(trial->row);
        trial->row = malloc(n);
        trial->cap = trial->row ? n : 0;
    }
    return trial->row;
}

static enum png_filter cheapest(struct png_trial *trial, const uint8_t *rows, size_t n_rows,
                                size_t n, size_t pixel, enum png_filter last)
{
    static const enum png_filter tried[] = { PNG_NONE, PNG_PAETH, PNG_UP };
    enum png_filter best = PNG_NONE;
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < 3; i++) {
        size_t bytes = cost(trial, tried[i], rows, n_rows, n, pixel);

        if (tried[i] == last) /* changing the filter costs something, too */
            bytes -= bytes / 32;
        if (bytes < least) {
            least = bytes;
            best = tried[i];
        }
        if (i == 1 && best == PNG_NONE) /* the third filter would be similar to the second */
            break;
    }
    return trial->out.failed ? PNG_NONE : best;
}

enum png_filter png_trial_choose(struct png_trial *trial, const uint8_t *rows, size_t n_rows,
                                 size_t n, size_t pixel, enum png_filter last)
{
    enum png_filter best;
    size_t new_bytes = 0, new_sum = 0;

    for (size_t y = 1; y < n_rows; y++) {
        struct newness row = newness_of(rows + y * n, rows + (y - 1) * n, n, pixel);

        new_bytes += row.bytes;
        new_sum += row.sum;
    }
    if (new_bytes < (n_rows - 1) * n / FLAT || new_sum >= new_bytes * EDGE ||
        !make_trial_rows(trial, n + 1)) {
        png_trial_begin(trial);
        return PNG_NONE;
    }
    if (trial->granted > 0 && new_sum > trial->new_sum / 2 && new_sum / 2 < trial->new_sum) {
        trial->granted--;
        return last;
    }
    best = cheapest(trial, rows, n_rows, n, pixel, last);
    trial->agreed = best == last ? trial->agreed + 1 : 0;
    trial->granted = trial->agreed < MOST_GRANTED ? trial->agreed : MOST_GRANTED;
    trial->new_sum = new_sum;
    return best;
}

void png_trial_begin(struct png_trial *trial)
{
    trial->agreed = trial->granted = 0;
}
