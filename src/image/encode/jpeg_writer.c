#include "image/encode/jpeg_writer.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h> /* jpeglib.h needs it */
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "image/encode/pixel_class.h"

#define OUT_BYTES 65536
#define ROWS      16 /* rows that are passed to libjpeg at a time */

/*
 * libjpeg reports errors through a function that must not return. Each call of libjpeg is therefore
 * in one of the functions named lib_..., which own nothing that cleans itself up, and only
 * `guarded` calls those.
 */
struct jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr to;
    jmp_buf failed;
    bool created; /* `jpeg` needs to be destroyed */
    struct sink sink;
    struct err *err; /* of the call in progress */

    struct pixel_class class;
    enum pixmap_kind given; /* the kind of the caller's pixmaps */
    enum pixmap_kind kind;  /* the kind of the rows that libjpeg gets */
    uint32_t width, rows_left;
    int quality;
    unsigned dpi;
    const struct pixmap *band; /* for lib_rows */
    bool to_gray;              /* rows must be converted to gray */
    uint8_t *gray;             /* with kind PIXMAP_GRAY: a row being converted, then DCTSIZE rows */
    size_t padded;             /* the width, rounded up to whole blocks */
    uint32_t n_gray;           /* number of rows of `gray` that are filled */
    uint8_t out[OUT_BYTES];
};

static void lib_error(j_common_ptr jpeg)
{
    struct jpeg_writer *writer = jpeg->client_data;
    char text[JMSG_LENGTH_MAX];

    jpeg->err->format_message(jpeg, text);
    err_set(writer->err, ERR_INTERNAL, "the JPEG file could not be written: %s", text);
    longjmp(writer->failed, 1);
}

static void lib_ignore(j_common_ptr jpeg)
{
    (void) jpeg; /* libjpeg warns of damaged input only */
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

/* Called when the buffer is full. libjpeg's documentation says that free_in_buffer is not valid
 * here. */
static boolean lib_flush(j_compress_ptr jpeg)
{
    lib_put(jpeg->client_data, OUT_BYTES);
    lib_rewind(jpeg);
    return TRUE;
}

static void lib_flush_last(j_compress_ptr jpeg)
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
    if (writer->kind != PIXMAP_GRAY && writer->quality >= JPEG_FULL_COLOR)
        jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
    jpeg->density_unit = writer->dpi ? 1 : 0; /* dots per inch, or only an aspect ratio */
    jpeg->X_density = jpeg->Y_density = (UINT16) (writer->dpi ? writer->dpi : 1);
    jpeg->raw_data_in = writer->kind == PIXMAP_GRAY;
    jpeg_start_compress(jpeg, TRUE);
}

static uint8_t *gray_row(const struct jpeg_writer *writer, uint32_t i)
{
    return writer->gray + (size_t) 4 * writer->width + i * writer->padded;
}

/* Writes a row of blocks. The last row of the image is repeated below it. */
static void lib_gray_blocks(struct jpeg_writer *writer)
{
    JSAMPROW rows[DCTSIZE];
    JSAMPARRAY planes[] = { rows };

    for (uint32_t i = writer->n_gray; i < DCTSIZE; i++)
        memcpy(gray_row(writer, i), gray_row(writer, writer->n_gray - 1), writer->padded);
    for (uint32_t i = 0; i < DCTSIZE; i++)
        rows[i] = gray_row(writer, i);
    jpeg_write_raw_data(&writer->jpeg, planes, DCTSIZE);
    writer->n_gray = 0;
}

/* Passes gray rows to libjpeg as blocks (raw data): as rows it would copy each pixel twice, one
 * by one. */
static void lib_gray_rows(struct jpeg_writer *writer)
{
    const struct pixmap *band = writer->band;
    size_t width = writer->width;

    for (uint32_t y = 0; y < band->height; y++) {
        const uint8_t *row = band->samples + y * band->stride;
        uint8_t *to = gray_row(writer, writer->n_gray++);

        if (writer->to_gray)
            row = pixel_class_row(&writer->class, band, y, writer->gray);
        memcpy(to, row, width);
        memset(to + width, row[width - 1], writer->padded - width);
        if (writer->n_gray == DCTSIZE)
            lib_gray_blocks(writer);
    }
}

static void lib_rows(struct jpeg_writer *writer)
{
    const struct pixmap *band = writer->band;
    JSAMPROW rows[ROWS];

    for (uint32_t y = 0; y < band->height;) {
        uint32_t n = 0;

        for (; n < ROWS && y < band->height; n++, y++) /* libjpeg only reads them */
            rows[n] = (JSAMPROW) (uintptr_t) (band->samples + y * band->stride);
        jpeg_write_scanlines(&writer->jpeg, rows, n);
    }
}

static void lib_end(struct jpeg_writer *writer)
{
    if (writer->n_gray > 0)
        lib_gray_blocks(writer);
    jpeg_finish_compress(&writer->jpeg);
}

static void lib_abort(struct jpeg_writer *writer)
{
    jpeg_abort_compress(&writer->jpeg);
}

/* Runs one of the lib_ functions. -1: libjpeg or the sink failed, and `err` is set. */
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
    writer->errors.output_message = lib_ignore;
    writer->jpeg.client_data = writer;
    writer->to.init_destination = lib_rewind;
    writer->to.empty_output_buffer = lib_flush;
    writer->to.term_destination = lib_flush_last;
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
        jpeg_destroy_compress(&writer->jpeg); /* cannot fail */
    free(writer->gray);
    free(writer);
}

static int make_row(struct jpeg_writer *writer, struct err *err)
{
    free(writer->gray);
    writer->gray = NULL;
    writer->n_gray = 0;
    writer->padded = ((size_t) writer->width + DCTSIZE - 1) / DCTSIZE * DCTSIZE;
    if (writer->kind != PIXMAP_GRAY)
        return 0;
    writer->gray = malloc(4 * (size_t) writer->width + DCTSIZE * writer->padded);
    return writer->gray ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

/* `to_gray`: rows are converted to gray before libjpeg gets them. */
static int begin_jpeg(struct jpeg_writer *writer, const struct pixmap *shape, bool to_gray,
                      double dpi, int quality, struct sink sink, struct err *err)
{
    struct err ignored;

    if (shape->width == 0 || shape->height == 0 || shape->width > JPEG_MAX_SIDE ||
        shape->height > JPEG_MAX_SIDE)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "a JPEG file of %u x %u pixels exceeds JPEG's limit of %u pixels per side",
                       shape->width, shape->height, JPEG_MAX_SIDE);
    guarded(writer, lib_abort, &ignored); /* an image that was not finished */
    pixel_class_of_kind(PIXMAP_GRAY, &writer->class);
    writer->to_gray = to_gray;
    writer->given = shape->kind;
    writer->kind = to_gray ? PIXMAP_GRAY : shape->kind;
    writer->width = shape->width;
    writer->rows_left = shape->height;
    writer->quality = quality < 1 ? 1 : quality > 100 ? 100 : quality;
    writer->dpi = dpi >= 0.5 && dpi < 65535 ? (unsigned) (dpi + 0.5) : 0;
    writer->sink = sink;
    if (make_row(writer, err) < 0)
        return -1;
    return guarded(writer, lib_begin, err);
}

int jpeg_writer_begin(struct jpeg_writer *writer, uint32_t width, uint32_t height,
                      enum pixmap_kind kind, double dpi, int quality, struct sink sink,
                      struct err *err)
{
    const struct pixmap shape = { .width = width, .height = height, .kind = kind };

    /* libjpeg has no input format of gray with alpha. */
    return begin_jpeg(writer, &shape, kind == PIXMAP_GRAY_ALPHA, dpi, quality, sink, err);
}

int jpeg_writer_rows(struct jpeg_writer *writer, const struct pixmap *band, struct err *err)
{
    if (band->kind != writer->given || band->width != writer->width ||
        band->height > writer->rows_left)
        return err_set(err, ERR_INTERNAL, "a band of %u x %u where %u x %u are left", band->width,
                       band->height, writer->width, writer->rows_left);
    writer->rows_left -= band->height;
    writer->band = band;
    return guarded(writer, writer->kind == PIXMAP_GRAY ? lib_gray_rows : lib_rows, err);
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
    bool to_gray = pixmap->kind != PIXMAP_GRAY && pixel_class_is_gray(pixmap);

    if (begin_jpeg(writer, pixmap, to_gray, dpi, quality, sink, err) < 0 ||
        jpeg_writer_rows(writer, pixmap, err) < 0)
        return -1;
    return jpeg_writer_end(writer, err);
}
