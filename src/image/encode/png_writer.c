#include "image/encode/png_writer.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "image/encode/deflate.h"
#include "image/encode/mono.h"
#include "image/encode/pixel_class.h"
#include "image/encode/png_trial.h"

#define CHUNK (1U << 18) /* an IDAT chunk is written when it has this number of bytes */

struct png_writer {
    struct deflate *deflate;
    struct png_trial *trial;
    struct mono *mono;
    struct pixel_class class;
    struct sink sink;
    struct buf idat; /* compressed data that is not written yet */
    bool is_mono;
    enum pixmap_kind given; /* the kind of the pixmaps */
    uint32_t width, rows_left;
    size_t row_size, pixel;
    /* one allocation, of rooms_cap; rows alternate between the two rooms */
    uint8_t *rooms[2], *filtered, *samples;
    size_t rooms_cap;
    const uint8_t *up; /* the previous row */
    enum png_filter filter;
};

struct png_writer *png_writer_new(struct err *err)
{
    struct png_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    writer->deflate = deflate_new(err);
    if (writer->deflate)
        writer->trial = png_trial_new(err);
    if (!writer->trial) {
        png_writer_free(writer);
        return NULL;
    }
    return writer;
}

void png_writer_free(struct png_writer *writer)
{
    if (!writer)
        return;
    deflate_free(writer->deflate);
    png_trial_free(writer->trial);
    mono_free(writer->mono);
    buf_free(&writer->idat);
    free(writer->rooms[0]);
    free(writer);
}

static void be32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t) (value >> (24 - 8 * i));
}

static int put_bytes(struct png_writer *writer, const void *data, size_t n, struct err *err)
{
    return writer->sink.put(writer->sink.to, data, n, err);
}

static int chunk(struct png_writer *writer, const char *type, const void *data, size_t n,
                 struct err *err)
{
    uint8_t head[8], tail[4];

    be32(head, (uint32_t) n);
    memcpy(head + 4, type, 4);
    be32(tail, libdeflate_crc32(libdeflate_crc32(0, head + 4, 4), data, n));
    if (put_bytes(writer, head, sizeof head, err) < 0 || (n && put_bytes(writer, data, n, err) < 0))
        return -1;
    return put_bytes(writer, tail, sizeof tail, err);
}

/* Writes PLTE and tRNS (11.2.3, 11.3.2): as many alphas as there are entries that are not
 * opaque. */
static int put_palette(struct png_writer *writer, struct err *err)
{
    const struct pixel_class *class = &writer->class;
    uint8_t colors[3 * PIXEL_COLORS], alphas[PIXEL_COLORS];
    size_t n_alphas = 0;

    for (unsigned i = 0; i < class->n_colors; i++) {
        memcpy(colors + 3 * (size_t) i, class->palette[i], 3);
        alphas[i] = class->palette[i][3];
        if (alphas[i] != 255)
            n_alphas = i + 1;
    }
    if (chunk(writer, "PLTE", colors, 3 * (size_t) class->n_colors, err) < 0)
        return -1;
    return n_alphas ? chunk(writer, "tRNS", alphas, n_alphas, err) : 0;
}

static int put_head(struct png_writer *writer, uint32_t height, double dpi, struct err *err)
{
    uint8_t ihdr[13] = { 0 }, phys[9];
    double per_metre = dpi / 0.0254 + 0.5;

    be32(ihdr, writer->width);
    be32(ihdr + 4, height);
    ihdr[8] = (uint8_t) writer->class.bits;
    ihdr[9] = (uint8_t) writer->class.type;
    if (put_bytes(writer, "\x89PNG\r\n\x1a\n", 8, err) < 0 ||
        chunk(writer, "IHDR", ihdr, sizeof ihdr, err) < 0)
        return -1;
    if (per_metre >= 1 && per_metre < INT32_MAX) {
        be32(phys, (uint32_t) per_metre);
        be32(phys + 4, (uint32_t) per_metre);
        phys[8] = 1; /* the unit is the metre */
        if (chunk(writer, "pHYs", phys, sizeof phys, err) < 0)
            return -1;
    }
    return writer->class.type == PIXEL_PALETTE ? put_palette(writer, err) : 0;
}

/* Allocates buffers for the widest form of a row: four channels and the filter byte. */
static int make_rows(struct png_writer *writer, struct err *err)
{
    size_t room = 4 * (size_t) writer->width + 1, need = room * (3 + PNG_TRIAL_ROWS + 1);

    if (writer->rooms_cap < need) {
        free(writer->rooms[0]);
        writer->rooms_cap = 0;
        writer->rooms[0] = malloc(need);
        if (!writer->rooms[0])
            return err_set(err, ERR_INTERNAL, "out of memory");
        writer->rooms_cap = need;
    }
    writer->rooms[1] = writer->rooms[0] + room;
    writer->filtered = writer->rooms[1] + room;
    writer->samples = writer->filtered + room;
    memset(writer->rooms[0], 0, room);
    writer->up = writer->rooms[0]; /* zeros above the first row */
    return 0;
}

static void begin_rows(struct png_writer *writer, bool first)
{
    static const uint8_t bytes[] = {
        [PIXEL_GRAY] = 1,       [PIXEL_RGB] = 3,  [PIXEL_PALETTE] = 1,
        [PIXEL_GRAY_ALPHA] = 2, [PIXEL_RGBA] = 4,
    };

    writer->row_size = pixel_class_row_size(&writer->class, writer->width);
    writer->filter = PNG_NONE;
    png_trial_begin(writer->trial);
    writer->pixel = bytes[writer->class.type];
    buf_drop(&writer->idat, writer->idat.len);
    deflate_begin_part(writer->deflate, writer->row_size + 1, writer->pixel, first, &writer->idat);
}

/* Begins an image whose class is known. */
static int begin_image(struct png_writer *writer, uint32_t width, uint32_t height, double dpi,
                       bool mono, struct sink sink, struct err *err)
{
    if (width == 0 || height == 0 || width > PNG_MAX_SIDE || height > PNG_MAX_SIDE)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "an image of %u x %u pixels cannot be written: the limit is %u a side",
                       width, height, PNG_MAX_SIDE);
    writer->width = width;
    writer->rows_left = height;
    writer->sink = sink;
    writer->is_mono = mono;
    if (mono) {
        writer->class = (struct pixel_class){ .type = PIXEL_GRAY, .bits = 1 };
        mono_free(writer->mono);
        writer->mono = mono_new(width, err);
        if (!writer->mono)
            return -1;
    }
    if (make_rows(writer, err) < 0 || put_head(writer, height, dpi, err) < 0)
        return -1;
    begin_rows(writer, true);
    return 0;
}

int png_writer_begin(struct png_writer *writer, uint32_t width, uint32_t height,
                     enum pixmap_kind kind, double dpi, bool mono, struct sink sink,
                     struct err *err)
{
    pixel_class_of_kind(kind, &writer->class);
    writer->given = kind;
    return begin_image(writer, width, height, dpi, mono, sink, err);
}

/* Chooses the filter for the rows of the band from y on. Filters do not help with indexes and
 * less than 8 bits (12.7). */
static enum png_filter choose_filter(struct png_writer *writer, const struct pixmap *band,
                                     uint32_t y)
{
    uint32_t n = band->height - y < PNG_TRIAL_BAND ? band->height - y : PNG_TRIAL_BAND;
    uint32_t n_rows = n < PNG_TRIAL_ROWS + 1 ? n : PNG_TRIAL_ROWS + 1;
    uint8_t *to = writer->samples;

    if (writer->class.bits < 8 || writer->class.type == PIXEL_PALETTE)
        return PNG_NONE;
    if (n_rows < 2)
        return writer->filter;
    y += (n - n_rows) / 2;
    for (uint32_t i = 0; i < n_rows; i++, to += writer->row_size) {
        const uint8_t *row = pixel_class_row(&writer->class, band, y + i, to);

        if (row != to)
            memcpy(to, row, writer->row_size);
    }
    return png_trial_choose(writer->trial, writer->samples, n_rows, writer->row_size, writer->pixel,
                            writer->filter);
}

static void put_filtered_row(struct png_writer *writer, const uint8_t *row)
{
    png_filter_apply(writer->filter, row, writer->up, writer->row_size, writer->pixel,
                     writer->filtered);
    deflate_put(writer->deflate, writer->filtered, writer->row_size + 1);
    writer->up = row;
}

static int put_idat(struct png_writer *writer, size_t at_least, struct err *err)
{
    if (writer->idat.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (writer->idat.len < at_least)
        return 0;
    if (chunk(writer, "IDAT", writer->idat.data, writer->idat.len, err) < 0)
        return -1;
    buf_drop(&writer->idat, writer->idat.len);
    return 0;
}

int png_writer_rows(struct png_writer *writer, const struct pixmap *band, struct err *err)
{
    if (band->kind != writer->given || band->width != writer->width ||
        band->height > writer->rows_left)
        return err_set(err, ERR_INTERNAL, "a band of %u x %u where %u x %u are left", band->width,
                       band->height, writer->width, writer->rows_left);
    writer->rows_left -= band->height;
    for (uint32_t y = 0; y < band->height; y++) {
        /* Uses the buffer that the row above is not in. */
        uint8_t *room = writer->rooms[writer->up == writer->rooms[0]];

        if (y % PNG_TRIAL_BAND == 0)
            writer->filter = choose_filter(writer, band, y);

        if (writer->is_mono) {
            mono_row(writer->mono, band, y, room);
            put_filtered_row(writer, room);
        } else {
            put_filtered_row(writer, pixel_class_row(&writer->class, band, y, room));
        }
        if (put_idat(writer, CHUNK, err) < 0)
            return -1;
    }
    if (writer->up != writer->rooms[0]) { /* the band may be freed before the next one comes */
        memcpy(writer->rooms[0], writer->up, writer->row_size);
        writer->up = writer->rooms[0];
    }
    return 0;
}

int png_writer_end(struct png_writer *writer, struct err *err)
{
    if (writer->rows_left)
        return err_set(err, ERR_INTERNAL, "%u rows of an image are missing", writer->rows_left);
    deflate_end(writer->deflate);
    if (put_idat(writer, 1, err) < 0)
        return -1;
    return chunk(writer, "IEND", "", 0, err); /* not NULL, with which crc32 would start again */
}

int png_writer_write(struct png_writer *writer, const struct pixmap *pixmap, double dpi, bool mono,
                     struct sink sink, struct err *err)
{
    if (!mono && pixmap->width > 0 && pixmap->height > 0)
        pixel_class_find(pixmap, &writer->class);
    writer->given = pixmap->kind;
    if (begin_image(writer, pixmap->width, pixmap->height, dpi, mono, sink, err) < 0 ||
        png_writer_rows(writer, pixmap, err) < 0)
        return -1;
    return png_writer_end(writer, err);
}

/* Begins a part in the middle, as if all above had been written. */
static int begin_below(struct png_writer *writer, const struct pixmap *pixmap, uint32_t from,
                       struct err *err)
{
    const uint8_t *above;

    writer->width = pixmap->width;
    writer->is_mono = false;
    if (make_rows(writer, err) < 0)
        return -1;
    begin_rows(writer, false);
    above = pixel_class_row(&writer->class, pixmap, from - 1, writer->rooms[0]);
    if (above != writer->rooms[0])
        memcpy(writer->rooms[0], above, writer->row_size);
    return 0;
}

int png_writer_part(struct png_writer *writer, const struct pixmap *pixmap, double dpi,
                    uint32_t from, uint32_t rows, struct sink sink, struct png_part *part,
                    struct err *err)
{
    bool last = from + rows == pixmap->height;
    struct pixmap band = *pixmap;

    band.samples += from * pixmap->stride;
    band.height = rows;
    pixel_class_find(pixmap, &writer->class);
    writer->given = pixmap->kind;
    if ((from == 0 ? begin_image(writer, pixmap->width, pixmap->height, dpi, false, sink, err)
                   : begin_below(writer, pixmap, from, err)) < 0)
        return -1;
    writer->sink = sink;
    writer->rows_left = rows;
    if (png_writer_rows(writer, &band, err) < 0)
        return -1;
    part->sum = deflate_end_part(writer->deflate, last);
    part->bytes = (uint64_t) rows * (writer->row_size + 1);
    return put_idat(writer, 1, err);
}

int png_writer_join(struct png_writer *writer, const struct png_part *parts, size_t n,
                    struct sink sink, struct err *err)
{
    uint32_t sum = parts[0].sum;
    uint8_t bytes[4];

    for (size_t i = 1; i < n; i++)
        sum = deflate_join_sums(sum, parts[i].sum, parts[i].bytes);
    deflate_sum(sum, bytes);
    writer->sink = sink;
    if (chunk(writer, "IDAT", bytes, sizeof bytes, err) < 0)
        return -1;
    return chunk(writer, "IEND", "", 0, err);
}
