#include "image/jpeg_writer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image/jpeg_code.h"
#include "image/jpeg_pixels.h"
#include "image/jpeg_transform.h"
#include "image/pixel_class.h"

#define MIDDLE     128 /* of brightness */
#define MAX_SIDE   16
#define BLOCKS     6 /* of a unit, at most */
#define CODE_BYTES 32768

/* A unit is what of the image is coded together (an MCU of T.81): a square of 8 pixels, or, where
 * there is one sample of colour for four, of 16. */
struct jpeg_writer {
    struct jpeg_tables tables;
    struct pixel_class class;
    enum pixmap_kind given; /* what the pixmaps are */
    enum pixmap_kind kind;  /* what is written of them */
    bool to_gray;           /* which has to be made so */
    uint32_t width, rows_left;
    unsigned side;                 /* of a unit, in pixels */
    const uint8_t *rows[MAX_SIDE]; /* of the units that come next */
    unsigned n_rows;
    uint8_t *held; /* those that outlive their band, or are made gray */
    size_t held_cap;

    int before[3]; /* average of the block before, of each component */
    bool even;     /* the unit before is of one colour: */
    uint8_t color[4];
    uint64_t same; /* what is written for one more such unit */
    unsigned n_same;

    struct sink sink;
    struct jpeg_bits bits;
    uint8_t codes[CODE_BYTES];
    uint8_t out[2 * CODE_BYTES]; /* the same, stuffed */
};

struct jpeg_writer *jpeg_writer_new(struct err *err)
{
    struct jpeg_writer *writer = calloc(1, sizeof *writer);

    if (!writer)
        err_set(err, ERR_INTERNAL, "out of memory");
    return writer;
}

void jpeg_writer_free(struct jpeg_writer *writer)
{
    if (writer)
        free(writer->held);
    free(writer);
}

static int put(const struct jpeg_writer *writer, const uint8_t *end, struct err *err)
{
    return writer->sink.put(writer->sink.to, writer->out, (size_t) (end - writer->out), err);
}

/* The bits that are whole bytes. */
static int put_codes(struct jpeg_writer *writer, struct err *err)
{
    size_t n = (size_t) (writer->bits.at - writer->codes);

    writer->bits.at = writer->codes;
    return put(writer, jpeg_code_stuff(writer->out, writer->codes, n), err);
}

/* Room for a row as pixel_class_row wants it, in each place. */
static uint8_t *held_row(const struct jpeg_writer *writer, unsigned i)
{
    return writer->held + (size_t) 4 * writer->width * i;
}

static int make_room(struct jpeg_writer *writer, struct err *err)
{
    size_t need = (size_t) 4 * writer->width * writer->side;

    if (writer->held_cap >= need)
        return 0;
    free(writer->held);
    writer->held = malloc(need);
    writer->held_cap = writer->held ? need : 0;
    return writer->held ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

/* Nothing new in a block. */
static void code_nothing(struct jpeg_writer *writer, int table)
{
    jpeg_code_dc(&writer->bits, &writer->tables, table, 0);
    jpeg_code_ac(&writer->bits, &writer->tables, table, NULL, 0);
}

/* The bits of a unit that is as the one before, which is of one colour: few. */
static void make_same(struct jpeg_writer *writer)
{
    unsigned luma = writer->side == MAX_SIDE ? 4 : 1, chroma = writer->kind < PIXMAP_RGB ? 0 : 2;
    uint8_t *codes = writer->codes;

    writer->bits = (struct jpeg_bits){ .at = codes };
    for (unsigned i = 0; i < luma + chroma; i++)
        code_nothing(writer, i < luma ? JPEG_LUMA : JPEG_CHROMA);
    writer->n_same = (unsigned) (8 * (writer->bits.at - codes)) + writer->bits.n;
    writer->same = 0;
    while (codes < writer->bits.at)
        writer->same = writer->same << 8 | *codes++;
    if (writer->bits.n > 0)
        writer->same = writer->same << writer->bits.n | writer->bits.word >> (64 - writer->bits.n);
    writer->bits = (struct jpeg_bits){ .at = writer->codes };
}

static int begin(struct jpeg_writer *writer, uint32_t width, uint32_t height, double dpi,
                 int quality, struct sink sink, struct err *err)
{
    bool is_gray = writer->kind == PIXMAP_GRAY, full = is_gray || quality >= JPEG_FULL_COLOR;
    const struct jpeg_shape shape = { .width = width,
                                      .height = height,
                                      .components = is_gray ? 1 : 3,
                                      .sampling = full ? 1 : 2,
                                      .dpi =
                                          dpi >= 0.5 && dpi < 65535 ? (unsigned) (dpi + 0.5) : 0 };

    if (width == 0 || height == 0 || width > JPEG_MAX_SIDE || height > JPEG_MAX_SIDE)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "A JPEG of %u x %u pixels cannot be written; %u a side are the most.", width,
                       height, JPEG_MAX_SIDE);
    writer->width = width;
    writer->rows_left = height;
    writer->side = full ? MAX_SIDE / 2 : MAX_SIDE;
    writer->n_rows = 0;
    writer->even = false;
    memset(writer->before, 0, sizeof writer->before);
    writer->sink = sink;
    if (make_room(writer, err) < 0)
        return -1;
    jpeg_tables_make(&writer->tables, quality < 1 ? 1 : quality > 100 ? 100 : quality);
    make_same(writer);
    return put(writer, writer->out + jpeg_tables_header(&writer->tables, &shape, writer->out), err);
}

int jpeg_writer_begin(struct jpeg_writer *writer, uint32_t width, uint32_t height,
                      enum pixmap_kind kind, double dpi, int quality, struct sink sink,
                      struct err *err)
{
    pixel_class_of_kind(PIXMAP_GRAY, &writer->class);
    writer->to_gray = kind == PIXMAP_GRAY_ALPHA;
    writer->given = kind;
    writer->kind = writer->to_gray ? PIXMAP_GRAY : kind;
    return begin(writer, width, height, dpi, quality, sink, err);
}

/* Component 0 is brightness. */
static int table_of(unsigned component)
{
    return component == 0 ? JPEG_LUMA : JPEG_CHROMA;
}

static void code_average(struct jpeg_writer *writer, unsigned component, int average)
{
    jpeg_code_dc(&writer->bits, &writer->tables, table_of(component),
                 average - writer->before[component]);
    writer->before[component] = average;
}

static void code_block(struct jpeg_writer *writer, unsigned component,
                       const float samples[JPEG_BLOCK])
{
    int table = table_of(component);
    _Alignas(16) int coefficients[JPEG_BLOCK];
    uint64_t present =
        jpeg_transform(&writer->tables, table, samples, component == 0 ? MIDDLE : 0, coefficients);

    code_average(writer, component, coefficients[0]);
    jpeg_code_ac(&writer->bits, &writer->tables, table, coefficients, present);
}

static void code_even_block(struct jpeg_writer *writer, unsigned component, float sample)
{
    int table = table_of(component);
    float average = sample * JPEG_BLOCK * writer->tables.scale[table][0];

    code_average(writer, component, (int) (average + (average < 0 ? -0.5F : 0.5F)));
    jpeg_code_ac(&writer->bits, &writer->tables, table, NULL, 0);
}

/* All pixels of the unit are as this one. */
static void code_even(struct jpeg_writer *writer, const uint8_t *pixel)
{
    size_t n = writer->kind == PIXMAP_GRAY ? 1 : 3;
    float samples[3];

    if (writer->even && memcmp(writer->color, pixel, n) == 0) {
        jpeg_bits_put(&writer->bits, writer->same, writer->n_same);
        return;
    }
    jpeg_pixels_one(pixel, writer->kind, samples);
    code_even_block(writer, 0, samples[0] - MIDDLE);
    for (int i = 1; writer->side == MAX_SIDE && i < 4; i++)
        code_nothing(writer, JPEG_LUMA);
    for (unsigned i = 1; i < n; i++)
        code_even_block(writer, i, samples[i]);
    writer->even = true;
    memcpy(writer->color, pixel, n);
}

/* The unit from pixel x on. What is beyond the image, right and below, has the fewest bits. */
static void code_busy(struct jpeg_writer *writer, const uint8_t *const *rows, uint32_t x)
{
    bool is_half = writer->side == MAX_SIDE, colored = false;
    bool right = x + MAX_SIDE / 2 < writer->width, below = writer->n_rows > MAX_SIDE / 2;
    struct jpeg_pixels pixels;

    writer->even = false;
    if (writer->kind == PIXMAP_GRAY)
        jpeg_pixels_gray(rows, &pixels);
    else if (is_half)
        colored = jpeg_pixels_half(rows, writer->kind, &pixels);
    else
        colored = jpeg_pixels_full(rows, writer->kind, &pixels);
    code_block(writer, 0, pixels.luma[0]);
    for (int i = 1; is_half && i < 4; i++)
        if ((right || i == 2) && (below || i == 1))
            code_block(writer, 0, pixels.luma[i]);
        else
            code_nothing(writer, JPEG_LUMA);
    for (unsigned i = 1; writer->kind != PIXMAP_GRAY && i < 3; i++)
        if (colored)
            code_block(writer, i, pixels.chroma[i - 1]);
        else
            code_even_block(writer, i, 0);
}

/* A unit that reaches beyond the right edge: made whole by more of the last pixel. */
static void fill_up(const struct jpeg_writer *writer, uint32_t x, uint8_t *to)
{
    size_t pixel = writer->kind, n = writer->width - x;

    for (unsigned y = 0; y < writer->side; y++, to += MAX_SIDE * pixel) {
        const uint8_t *row = writer->rows[y] + x * pixel;

        memcpy(to, row, n * pixel);
        for (size_t i = n; i < writer->side; i++)
            memcpy(to + i * pixel, row + (n - 1) * pixel, pixel);
    }
}

/* All units of the rows that are there. Below the image the last row goes on. */
static int code_rows(struct jpeg_writer *writer, struct err *err)
{
    unsigned side = writer->side, pixel = writer->kind;
    uint8_t edge[MAX_SIDE * MAX_SIDE * 4];

    for (unsigned i = writer->n_rows; i < side; i++)
        writer->rows[i] = writer->rows[i - 1];
    for (uint32_t x = 0; x < writer->width; x += side) {
        const uint8_t *rows[MAX_SIDE];
        bool whole = x + side <= writer->width;

        if (CODE_BYTES - (writer->bits.at - writer->codes) <
                (ptrdiff_t) (BLOCKS + 1) * JPEG_CODE_BYTES &&
            put_codes(writer, err) < 0)
            return -1;
        if (!whole)
            fill_up(writer, x, edge);
        for (unsigned i = 0; i < side; i++)
            rows[i] =
                whole ? writer->rows[i] + (size_t) x * pixel : edge + (size_t) i * MAX_SIDE * pixel;
        if (jpeg_pixels_even(rows, side, pixel))
            code_even(writer, rows[0]);
        else
            code_busy(writer, rows, x);
    }
    writer->n_rows = 0;
    return 0;
}

static int take_rows(struct jpeg_writer *writer, const struct pixmap *band, struct err *err)
{
    for (uint32_t y = 0; y < band->height; y++) {
        const uint8_t *row = band->samples + y * band->stride;

        if (writer->to_gray)
            row = pixel_class_row(&writer->class, band, y, held_row(writer, writer->n_rows));
        writer->rows[writer->n_rows++] = row;
        if (writer->n_rows == writer->side && code_rows(writer, err) < 0)
            return -1;
    }
    for (unsigned i = 0; i < writer->n_rows; i++) /* for the next band */
        if (writer->rows[i] != held_row(writer, i)) {
            memcpy(held_row(writer, i), writer->rows[i], (size_t) writer->width * writer->kind);
            writer->rows[i] = held_row(writer, i);
        }
    return 0;
}

int jpeg_writer_rows(struct jpeg_writer *writer, const struct pixmap *band, struct err *err)
{
    if (band->kind != writer->given || band->width != writer->width ||
        band->height > writer->rows_left)
        return err_set(err, ERR_INTERNAL, "a band of %u x %u where %u x %u are left", band->width,
                       band->height, writer->width, writer->rows_left);
    writer->rows_left -= band->height;
    return take_rows(writer, band, err);
}

int jpeg_writer_end(struct jpeg_writer *writer, struct err *err)
{
    if (writer->rows_left)
        return err_set(err, ERR_INTERNAL, "%u rows of an image are missing", writer->rows_left);
    if (writer->n_rows > 0 && code_rows(writer, err) < 0)
        return -1;
    jpeg_bits_end(&writer->bits);
    if (put_codes(writer, err) < 0)
        return -1;
    memcpy(writer->out, "\xff\xd9", 2); /* the end of the image */
    return put(writer, writer->out + 2, err);
}

int jpeg_writer_write(struct jpeg_writer *writer, const struct pixmap *pixmap, double dpi,
                      int quality, struct sink sink, struct err *err)
{
    pixel_class_of_kind(PIXMAP_GRAY, &writer->class);
    writer->to_gray = pixmap->kind != PIXMAP_GRAY && pixel_class_is_gray(pixmap);
    writer->given = pixmap->kind;
    writer->kind = writer->to_gray ? PIXMAP_GRAY : pixmap->kind;
    if (begin(writer, pixmap->width, pixmap->height, dpi, quality, sink, err) < 0 ||
        jpeg_writer_rows(writer, pixmap, err) < 0)
        return -1;
    return jpeg_writer_end(writer, err);
}
