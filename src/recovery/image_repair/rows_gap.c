#include "recovery/image_repair/rows_gap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define IMAGE_MAX  (64U << 20)
#define LATE       8  /* rows from the damage to where it is noticed */
#define TYPE_MAX   4U /* PNG's filters: none, sub, up, average, Paeth */
#define TYPE_UP    2
#define SMALL      64     /* differences that are not edges */
#define WRONG_TYPE 100000 /* more than rows can differ by chance */

struct seam {
    const struct rows_image *image;
    size_t size, rows; /* bytes of a row; rows */
    size_t gap;        /* whole rows that are missing */
    /* the image if the damage were after its end, and before its beginning, decoded */
    unsigned char *before, *after;
    double *rest; /* the cost of all rows of `after` from the one after this on */
};

static uint64_t apart(const unsigned char *a, const unsigned char *b, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (uint64_t) (a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
    return sum;
}

static const unsigned char *row_in(const struct seam *s, const unsigned char *image, size_t row)
{
    return image + row * s->size;
}

/* What speaks against a row being where it is. */
static double cost_of(const struct seam *s, const unsigned char *image, size_t row)
{
    const unsigned char *here = row_in(s, image, row), *above = row > 0 ? here - s->size : NULL;
    size_t step = s->image->step;
    double cost;

    if (s->image->kind == ROWS_PNG)
        return (*here > TYPE_MAX ? WRONG_TYPE : 0) + (above && *above != *here ? 1 : 0);
    cost = s->size > step ? (double) apart(here + step, here, s->size - step) : 0;
    return above ? cost + (double) apart(above, here, s->size) : cost;
}

/* The row of the damage, from `from` to `to`. In it the bytes of both sides are mixed, so that it
 * says nothing, and the rows above and below it are compared. */
static size_t find_seam(const struct seam *s, size_t from, size_t to)
{
    double so_far = 0, least = 0;
    size_t found = from;

    for (size_t row = s->rows; row-- > 0;)
        s->rest[row] = s->rest[row + 1] + (row > 0 ? cost_of(s, s->after, row) : 0);
    for (size_t row = 0; row <= to; row++) {
        size_t next = row + s->gap + 1;
        double cost = so_far + (next < s->rows ? s->rest[next + 1] : 0);

        if (row > 0 && next < s->rows)
            cost +=
                (double) apart(row_in(s, s->before, row - 1), row_in(s, s->after, next), s->size);
        if (row == from || (row > from && cost < least)) {
            least = cost;
            found = row;
        }
        so_far += cost_of(s, s->before, row);
    }
    return found;
}

/* From differences to samples. */
static void add_up(unsigned char *data, const struct rows_image *image, size_t rows)
{
    for (size_t row = 0; row < rows; row++, data += image->bytes)
        for (size_t i = image->step; i < image->bytes; i++)
            data[i] = (unsigned char) (data[i] + data[i - image->step]);
}

/* The row of a byte, if as many rows can be missing there. */
static size_t row_at(const struct seam *s, size_t byte)
{
    size_t row = byte / s->size, last = s->rows - 1 - s->gap;

    return row < last ? row : last;
}

static size_t seam_row(const struct seam *s, const struct rows_damage *damage)
{
    size_t from = 0, to = row_at(s, SIZE_MAX);

    if (damage->noticed) {
        from = row_at(s, damage->first);
        from = from > LATE ? from - LATE : 0;
        to = row_at(s, damage->last);
    }
    return find_seam(s, from, to < from ? from : to);
}

bool rows_gap_find(const unsigned char *data, size_t n, const struct rows_image *image,
                   const struct rows_damage *damage, struct rows_gap *gap)
{
    size_t size = image->bytes && image->n && image->bytes <= IMAGE_MAX / image->n
                      ? image->bytes * image->n
                      : 0;
    AUTO_FREE unsigned char *before = calloc(1, size + 1);
    AUTO_FREE unsigned char *after = calloc(1, size + 1);
    AUTO_FREE double *rest = calloc(image->n + 2, sizeof *rest);
    struct seam s = { image, image->bytes, image->n, 0, before, after, rest };

    if (size == 0 || image->n < 2 || n == size || n < size / 4 || n / 2 > size || !before ||
        !after || !rest)
        return false;
    *gap = (struct rows_gap){ 0, n < size ? size - n : 0, n > size ? n - size : 0 };
    s.gap = gap->lost / s.size;
    memcpy(before, data, n - gap->added);
    memcpy(after + gap->lost, data + gap->added, n - gap->added);
    if (image->kind == ROWS_TIFF) {
        add_up(before, image, image->n);
        add_up(after, image, image->n);
    }
    gap->at = seam_row(&s, damage) * s.size;
    return true;
}

double rows_gap_cost(const unsigned char *data, const struct rows_image *image)
{
    size_t n = image->bytes;
    AUTO_FREE unsigned char *rows = malloc(2 * n + 1);
    struct seam s = { image, n, 2, 0, rows, rows, NULL };
    double cost = 0;

    if (!rows)
        return -1;
    for (size_t row = 0; row < image->n; row++) {
        memcpy(rows, row > 0 ? rows + n : data, n);
        memcpy(rows + n, data + row * n, n);
        if (image->kind == ROWS_TIFF)
            add_up(rows + n, image, 1);
        cost += row > 0 ? cost_of(&s, rows, 1) : 0;
    }
    return cost;
}

static unsigned paeth(unsigned left, unsigned up, unsigned corner)
{
    int a = abs((int) up - (int) corner), b = abs((int) left - (int) corner);
    int c = abs((int) left + (int) up - 2 * (int) corner);

    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* What the filter of a row predicts for its i-th byte (PNG, 9.2); samples begin at index 1. */
static unsigned predicted(const unsigned char *row, const unsigned char *above, size_t i,
                          const struct rows_image *image)
{
    size_t step = image->step ? image->step : 1;
    unsigned left = i > step ? row[i - step] : 0, up = above[i];
    unsigned corner = i > step ? above[i - step] : 0;
    const unsigned of[] = { 0, left, up, (left + up) / 2, paeth(left, up, corner) };

    return *row <= TYPE_MAX ? of[*row] : 0;
}

static void undo_filter(unsigned char *row, const unsigned char *above,
                        const struct rows_image *image)
{
    for (size_t i = 1; i < image->bytes; i++)
        row[i] = (unsigned char) (row[i] + predicted(row, above, i, image));
}

/* Undoes the filter of a row into `row`, and changes its differences where a small one goes
 * beyond black or white. */
static void limit(unsigned char *coded, unsigned char *row, const unsigned char *above,
                  const struct rows_image *image)
{
    *row = *coded;
    for (size_t i = 1; i < image->bytes; i++) {
        unsigned by = predicted(row, above, i, image);
        int difference = coded[i] < 128 ? coded[i] : coded[i] - 256, sample = (int) by + difference;

        if (abs(difference) > SMALL)
            sample = (unsigned char) sample;
        row[i] = (unsigned char) (sample < 0 ? 0 : sample > 255 ? 255 : sample);
        coded[i] = (unsigned char) (row[i] - by);
    }
}

double rows_gap_roughness(const unsigned char *data, const struct rows_image *image)
{
    size_t n = image->bytes, step = image->step ? image->step : 1;
    AUTO_FREE unsigned char *rows = calloc(2, n + 1);
    double sum = 0;

    if (!rows)
        return -1;
    for (size_t row = 0; row < image->n; row++) {
        memcpy(rows, rows + n, n);
        memcpy(rows + n, data + row * n, n);
        undo_filter(rows + n, rows, image);
        sum += n > step + 1 ? (double) apart(rows + n + 1 + step, rows + n + 1, n - step - 1) : 0;
    }
    return sum;
}

/* The whole row becomes that above it. */
static void repeat_row(unsigned char *row, const struct rows_image *image)
{
    if (image->kind != ROWS_PNG) {
        memcpy(row, row - image->bytes, image->bytes);
        return;
    }
    memset(row, 0, image->bytes);
    *row = TYPE_UP;
}

static void fill_row(unsigned char *row, const unsigned char *doubts,
                     const struct rows_image *image)
{
    for (size_t i = 0; i < image->bytes; i++) {
        if (!doubts[i])
            continue;
        if (image->kind == ROWS_RAW || (image->kind == ROWS_TIFF && i < image->step) ||
            (image->kind == ROWS_PNG && i == 0))
            row[i] = *(row + i - image->bytes);
        else
            row[i] = 0; /* no difference from what is predicted */
    }
}

size_t rows_gap_fill(unsigned char *data, const unsigned char *doubts,
                     const struct rows_image *image)
{
    size_t wrong = 0;

    for (size_t row = 1; row < image->n; row++) {
        unsigned char *here = data + row * image->bytes;
        const unsigned char *of = doubts + row * image->bytes;
        size_t n = 0;

        for (size_t i = 0; i < image->bytes; i++)
            n += of[i] != 0;
        if (n > image->bytes / 2)
            repeat_row(here, image);
        else if (n > 0)
            fill_row(here, of, image);
        if (image->kind == ROWS_PNG && *here > TYPE_MAX) {
            wrong++;
            *here = *(here - image->bytes);
        }
    }
    return wrong;
}

void rows_gap_limit(unsigned char *data, const unsigned char *doubts,
                    const struct rows_image *image)
{
    size_t n = image->bytes;
    AUTO_FREE unsigned char *rows = calloc(2, n + 1);
    bool begun = false;

    for (size_t row = 0; rows && image->is_bytes && row < image->n; row++) {
        unsigned char *coded = data + row * n;

        memcpy(rows, rows + n, n);
        memcpy(rows + n, coded, n);
        for (size_t i = 0; i < n && !begun; i++)
            begun = doubts[row * n + i] != 0;
        if (begun)
            limit(coded, rows + n, rows, image);
        else
            undo_filter(rows + n, rows, image);
    }
}
