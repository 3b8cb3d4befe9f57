#include "image/jpeg_writer.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "image/pixel_class.h"

#define OUT_BYTES 65536
#define ROWS      16 /* handed to libjpeg at a time */

/*
 * libjpeg leaves by longjmp when something fails: each call of it is in one of the functions named
 * lib_..., which do nothing else, and of which only `guarded` is called from the rest. No local
 * that cleans up after itself is in between.
 */
struct jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr to;
    jmp_buf failed;
    bool created;
    struct sink sink;
    struct err *err; /* of the call that goes on */

    struct pixel_class class;
    enum pixmap_kind given; /* what the pixmaps are */
    uint32_t width, rows_left;
    int quality;
    unsigned dpi;
    enum pixmap_kind kind; /* of the rows that libjpeg gets */
    const struct pixmap *band;
    bool to_gray;             /* they have to be made so */
    uint8_t *rooms;           /* of gray: a row on its way, and a row of blocks */
    size_t rooms_cap, padded; /* padded: width of whole blocks */
    uint32_t n_held;          /* rows of those blocks */
    uint8_t out[OUT_BYTES];
};

static struct jpeg_writer *writer_of(j_common_ptr jpeg)
{
    return jpeg->client_data;
}

static void lib_error(j_common_ptr jpeg)
{
    struct jpeg_writer *writer = writer_of(jpeg);
    char text[JMSG_LENGTH_MAX];

    jpeg->err->format_message(jpeg, text);
    err_set(writer->err, ERR_INTERNAL, "The JPEG could not be written: %s", text);
    longjmp(writer->failed, 1);
}

static void lib_message(j_common_ptr jpeg)
{
    (void) jpeg; /* warnings are about input */
}

static void lib_rewind(j_compress_ptr jpeg)
{
    struct jpeg_writer *writer = jpeg->client_data;

    writer->to.next_output_byte = writer->out;
    writer->to.free_in_buffer = sizeof writer->out;
}

static void lib_put(struct jpeg_writer *writer, size_t n)
{
    if (writer->sink.put(writer->sink.to, writer->out, n, writer->err) < 0)
        longjmp(writer->failed, 1);
}

static boolean lib_full(j_compress_ptr jpeg)
{
    lib_put(jpeg->client_data, OUT_BYTES); /* whatever free_in_buffer says */
    lib_rewind(jpeg);
    return TRUE;
}

static void lib_last(j_compress_ptr jpeg)
{
    struct jpeg_writer *writer = jpeg->client_data;

    lib_put(writer, OUT_BYTES - writer->to.free_in_buffer);
}

static void lib_create(struct jpeg_writer *writer)
{
    jpeg_create_compress(&writer->jpeg);
    writer->created = true;
    writer->jpeg.dest = &writer->to;
}

static void lib_begin(struct jpeg_writer *writer)
{
    struct jpeg_compress_struct *jpeg = &writer->jpeg;

    jpeg->image_width = writer->width;
    jpeg->image_height = writer->rows_left;
    jpeg->input_components = (int) writer->kind;
    jpeg->in_color_space = writer->kind == PIXMAP_GRAY  ? JCS_GRAYSCALE
                           : writer->kind == PIXMAP_RGB ? JCS_RGB
                                                        : JCS_EXT_RGBX;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, writer->quality, TRUE);
    if (writer->kind != PIXMAP_GRAY && writer->quality >= JPEG_FULL_COLOR) {
        jpeg->comp_info[0].h_samp_factor = 1;
        jpeg->comp_info[0].v_samp_factor = 1;
    }
    jpeg->write_JFIF_header = TRUE;
    jpeg->density_unit = writer->dpi ? 1 : 0; /* dots an inch; else an aspect of 1:1 */
    jpeg->X_density = jpeg->Y_density = (UINT16) (writer->dpi ? writer->dpi : 1);
    jpeg->optimize_coding = FALSE;
    jpeg->raw_data_in = writer->kind == PIXMAP_GRAY;
    jpeg_start_compress(jpeg, TRUE);
}

/* Gray goes in by blocks of DCTSIZE rows: what libjpeg does to get there copies each pixel twice,
 * one by one. Made whole as it makes them, by more of the last pixel and the last row. */
static uint8_t *held_row(const struct jpeg_writer *writer, uint32_t i)
{
    return writer->rooms + (size_t) 4 * writer->width + i * writer->padded;
}

static void lib_blocks(struct jpeg_writer *writer)
{
    JSAMPROW rows[DCTSIZE];
    JSAMPARRAY planes[] = { rows };

    for (; writer->n_held < DCTSIZE; writer->n_held++)
        memcpy(held_row(writer, writer->n_held), held_row(writer, writer->n_held - 1),
               writer->padded);
    for (uint32_t i = 0; i < DCTSIZE; i++)
        rows[i] = held_row(writer, i);
    jpeg_write_raw_data(&writer->jpeg, planes, DCTSIZE);
    writer->n_held = 0;
}

static void lib_gray_rows(struct jpeg_writer *writer)
{
    const struct pixmap *band = writer->band;
    size_t width = writer->width;

    for (uint32_t y = 0; y < band->height; y++) {
        const uint8_t *row = band->samples + y * band->stride;
        uint8_t *held = held_row(writer, writer->n_held++);

        if (writer->to_gray)
            row = pixel_class_row(&writer->class, band, y, writer->rooms);
        memcpy(held, row, width);
        memset(held + width, row[width - 1], writer->padded - width);
        if (writer->n_held == DCTSIZE)
            lib_blocks(writer);
    }
}

static void lib_rows(struct jpeg_writer *writer)
{
    const struct pixmap *band = writer->band;
    JSAMPROW rows[ROWS];

    if (writer->kind == PIXMAP_GRAY) {
        lib_gray_rows(writer);
        return;
    }
    for (uint32_t y = 0; y < band->height;) {
        uint32_t n = 0;

        for (; n < ROWS && y < band->height; n++, y++) /* only read, though not const */
            rows[n] = (JSAMPROW) (uintptr_t) (band->samples + y * band->stride);
        jpeg_write_scanlines(&writer->jpeg, rows, n);
    }
}

static void lib_end(struct jpeg_writer *writer)
{
    if (writer->n_held > 0)
        lib_blocks(writer);
    jpeg_finish_compress(&writer->jpeg);
}

static void lib_abort(struct jpeg_writer *writer)
{
    jpeg_abort_compress(&writer->jpeg);
}

/* 0, or -1 with what libjpeg or the sink said. */
static int guarded(struct jpeg_writer *writer, void (*call)(struct jpeg_writer *), struct err *err)
{
    writer->err = err;
    if (setjmp(writer->failed) != 0)
        return -1;
    call(writer);
    return 0;
}

struct jpeg_writer *jpeg_writer_new(struct err *err)
{
    struct jpeg_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    writer->jpeg.err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = lib_error;
    writer->errors.output_message = lib_message;
    writer->jpeg.client_data = writer;
    writer->to.init_destination = lib_rewind;
    writer->to.empty_output_buffer = lib_full;
    writer->to.term_destination = lib_last;
    if (guarded(writer, lib_create, err) < 0) {
        jpeg_writer_free(writer);
        return NULL;
    }
    return writer;
}

void jpeg_writer_free(struct jpeg_writer *writer)
{
    if (!writer)
        return;
    if (writer->created)
        jpeg_destroy_compress(&writer->jpeg); /* frees, and cannot fail */
    free(writer->rooms);
    free(writer);
}

static int make_room(struct jpeg_writer *writer, struct err *err)
{
    size_t need;

    writer->n_held = 0;
    writer->padded = ((size_t) writer->width + DCTSIZE - 1) / DCTSIZE * DCTSIZE;
    need = writer->kind == PIXMAP_GRAY ? 4 * (size_t) writer->width + DCTSIZE * writer->padded : 0;
    if (writer->rooms_cap >= need)
        return 0;
    free(writer->rooms);
    writer->rooms = malloc(need);
    writer->rooms_cap = writer->rooms ? need : 0;
    return writer->rooms ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

static int begin(struct jpeg_writer *writer, uint32_t width, uint32_t height, double dpi,
                 int quality, struct sink sink, struct err *err)
{
    struct err ignored;

    if (width == 0 || height == 0 || width > JPEG_MAX_SIDE || height > JPEG_MAX_SIDE)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "A JPEG of %u x %u pixels cannot be written; %u a side are the most.", width,
                       height, JPEG_MAX_SIDE);
    guarded(writer, lib_abort, &ignored); /* one that was not finished */
    writer->width = width;
    writer->rows_left = height;
    writer->quality = quality;
    writer->dpi = dpi >= 0.5 && dpi < 65535 ? (unsigned) (dpi + 0.5) : 0;
    writer->sink = sink;
    if (make_room(writer, err) < 0)
        return -1;
    return guarded(writer, lib_begin, err);
}

int jpeg_writer_begin(struct jpeg_writer *writer, uint32_t width, uint32_t height,
                      enum pixmap_kind kind, double dpi, int quality, struct sink sink,
                      struct err *err)
{
    /* Gray with alpha is no input of libjpeg. */
    pixel_class_of_kind(PIXMAP_GRAY, &writer->class);
    writer->to_gray = kind == PIXMAP_GRAY_ALPHA;
    writer->given = kind;
    writer->kind = writer->to_gray ? PIXMAP_GRAY : kind;
    return begin(writer, width, height, dpi, quality, sink, err);
}

int jpeg_writer_rows(struct jpeg_writer *writer, const struct pixmap *band, struct err *err)
{
    if (band->kind != writer->given || band->width != writer->width ||
        band->height > writer->rows_left)
        return err_set(err, ERR_INTERNAL, "a band of %u x %u where %u x %u are left", band->width,
                       band->height, writer->width, writer->rows_left);
    writer->rows_left -= band->height;
    writer->band = band;
    return guarded(writer, lib_rows, err);
}

int jpeg_writer_end(struct jpeg_writer *writer, struct err *err)
{
    if (writer->rows_left)
        return err_set(err, ERR_INTERNAL, "%u rows of an image are missing", writer->rows_left);
    return guarded(writer, lib_end, err);
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
