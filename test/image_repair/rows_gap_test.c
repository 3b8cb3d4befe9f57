/* tests of src/recovery/image_repair/rows_gap.c: decoded rows of images that lack bytes, or have
 * too many.
 */
#include "recovery/image_repair/rows_gap.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "tap.h"

#define WIDTH 50U
#define ROWS  80U
#define STEP  3U
#define BYTES (WIDTH * STEP)

static const struct rows_damage anywhere = { false, 0, 0 };

/* Colours that change slowly, other ones at the left edge than at the right one. */
static void make(enum rows_kind kind, struct buf *out)
{
    for (unsigned y = 0; y < ROWS; y++) {
        unsigned char left[STEP] = { 0 };

        if (kind == ROWS_PNG)
            buf_putc(out, 2);
        for (unsigned i = 0; i < BYTES; i++) {
            unsigned x = i / STEP, c = i % STEP;
            unsigned char sample = (unsigned char) (x * (2 + c) + y * (c + 1) / 2 + 40 * c);

            if (kind == ROWS_PNG)
                buf_putc(out, (char) (200 + (x + y + c) % 3)); /* differences, of no meaning */
            else
                buf_putc(out, (char) (kind == ROWS_TIFF ? sample - left[c] : sample));
            left[c] = sample;
        }
    }
}

static struct rows_image image_of(enum rows_kind kind)
{
    return (struct rows_image){ kind, BYTES + (kind == ROWS_PNG), ROWS, STEP };
}

/* Whether the gap is found in the row of the damage or beside it, with the right size. */
static bool found(enum rows_kind kind, size_t row, size_t lost, size_t added)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY;
    AUTO_FREE unsigned char *exact = NULL;
    struct rows_image image = image_of(kind);
    size_t at = row * image.bytes + 40;
    struct rows_gap gap;

    make(kind, &whole);
    buf_put(&data, whole.data, at);
    for (size_t i = 0; i < added; i++)
        buf_putc(&data, (char) (100 + i));
    buf_put(&data, whole.data + at + lost, whole.len - at - lost);
    exact = malloc(data.len);
    memcpy(exact, data.data, data.len);
    if (!rows_gap_find(exact, data.len, &image, &anywhere, &gap))
        return false;
    return gap.lost == lost && gap.added == added && gap.at / image.bytes + 1 >= row &&
           gap.at / image.bytes <= row + 1 && gap.at % image.bytes == 0;
}

static void places(void)
{
    static const char *const names[] = { "samples", "TIFF's predictor", "PNG's filters" };

    for (enum rows_kind kind = ROWS_RAW; kind <= ROWS_PNG; kind++) {
        ok(found(kind, 30, 1, 0), "%s: one byte that is missing", names[kind]);
        ok(found(kind, 60, 7 * BYTES + 20, 0), "%s: rows that are missing", names[kind]);
        ok(found(kind, 10, 0, 5), "%s: bytes that are too many", names[kind]);
        ok(!found(kind, 10, 0, 0), "%s: nothing where the size is right", names[kind]);
    }
    ok(!found(ROWS_RAW, 1, 70 * BYTES, 0), "nothing where next to nothing is left");
}

static void noticed(void)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    struct rows_image image = image_of(ROWS_RAW);
    struct rows_damage damage = { true, 50 * BYTES + 3, 51 * BYTES };
    struct rows_gap gap = { 0 };
    void *even;

    even = buf_room(&data, BYTES * ROWS);
    memset(even, 77, BYTES * ROWS);
    ok(rows_gap_find(even, BYTES * ROWS - 9, &image, &damage, &gap) && gap.at >= 42 * BYTES &&
           gap.at <= 51 * BYTES,
       "where rows tell nothing, the place where damage was noticed does");
}

static void costs(void)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, moved = BUF_EMPTY;
    struct rows_image image = image_of(ROWS_RAW);

    make(ROWS_RAW, &whole);
    buf_put(&moved, whole.data, 20 * BYTES);
    buf_put(&moved, whole.data + 19 * BYTES + 7, BYTES * 60);
    ok(rows_gap_cost((unsigned char *) moved.data, &image) >
           rows_gap_cost((unsigned char *) whole.data, &image),
       "rows that begin elsewhere cost more");
}

static void doubts(void)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    AUTO_FREE unsigned char *of = calloc(ROWS, BYTES + 1);
    struct rows_image image = image_of(ROWS_PNG);
    unsigned char *rows;

    make(ROWS_PNG, &data);
    rows = (unsigned char *) data.data;
    of[5 * image.bytes + 9] = 1;
    memset(of + 6 * image.bytes, 1, image.bytes);
    rows[5 * image.bytes + 9] = 99;
    rows[6 * image.bytes] = 77;
    rows[7 * image.bytes] = 55;
    is_int(rows_gap_fill(rows, of, &image), 1, "a row without a type of a filter is counted");
    is_int(rows[7 * image.bytes], 2, "and has that of the row above");
    is_int(rows[5 * image.bytes + 9], 0, "a sample in doubt is what is predicted");
    ok(rows[5 * image.bytes + 10] >= 200, "and the one after it what it was");
    ok(rows[6 * image.bytes] == 2 && rows[6 * image.bytes + 80] == 0,
       "a row in doubt is that above it");
    image = image_of(ROWS_RAW);
    memset(of, 0, ROWS * BYTES);
    of[5 * BYTES + 9] = 1;
    rows_gap_fill(rows, of, &image);
    is_int(rows[5 * BYTES + 9], rows[4 * BYTES + 9], "without a predictor it is that above it");
}

/* Of white rows with one darker column each sample is 4 too bright from row 8 on. */
static void limits(void)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    AUTO_FREE unsigned char *of = calloc(ROWS, BYTES + 1);
    struct rows_image image = image_of(ROWS_PNG);
    unsigned char *rows;
    double rough;

    image.is_bytes = true;
    for (unsigned y = 0; y < ROWS; y++) {
        buf_putc(&data, 2);
        for (unsigned i = 0; i < BYTES; i++)
            buf_putc(&data, (char) (y == 0                 ? i / STEP == 20 ? 100 : 253
                                    : y == 8 && i % 7 == 0 ? 4
                                                           : 0));
    }
    rows = (unsigned char *) data.data;
    of[8 * image.bytes] = 1;
    rough = rows_gap_roughness(rows, &image);
    rows_gap_limit(rows, of, &image);
    ok(rough > 0 && rows_gap_roughness(rows, &image) < rough / 2,
       "samples that become too bright stay white");
    is_int(rows[8 * image.bytes + 1], 2, "by a smaller difference");
    is_int(rows[1], 253, "what is above is as it was");
}

int main(void)
{
    limits();
    places();
    noticed();
    costs();
    doubts();
    return done_testing();
}
