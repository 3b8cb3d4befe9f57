#include "image/encode/tiff_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "image/encode/mono.h"
#include "image/encode/pixel.h"
#include "image/tiff/tiff_memory.h"

#define STRIP_BYTES 262144 /* of pixels, at least one block of rows */
#define BLOCK       16     /* rows of a block of JPEG with subsampled colours */

struct tiff_writer {
    TIFF *tiff;
    struct tiff_memory memory;
    struct mono *mono;
    uint8_t *row; /* a row as libtiff gets it, which it may change */
    struct pixmap shape;
    bool to_gray; /* RGB whose pixels are all gray */
    uint32_t n_rows;
    struct sink sink;
};

static int no_memory_for_tiff(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "a picture needs more memory than a job has: choose a lower resolution");
}

static void close_tiff(struct tiff_writer *w)
{
    if (w->tiff)
        TIFFCleanup(w->tiff); /* writes nothing, as TIFFClose would */
    w->tiff = NULL;
    mono_free(w->mono);
    w->mono = NULL;
    free(w->row);
    w->row = NULL;
}

struct tiff_writer *tiff_writer_new(struct err *err)
{
    struct tiff_writer *writer = calloc(1, sizeof *writer);

    if (!writer)
        no_memory_for_tiff(err);
    return writer;
}

void tiff_writer_free(struct tiff_writer *writer)
{
    if (!writer)
        return;
    close_tiff(writer);
    buf_free(&writer->memory.file);
    free(writer);
}

static void set_coding(TIFF *tiff, const struct tiff_options *options, bool rgb)
{
    static const uint16_t codings[] = { COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                        COMPRESSION_JPEG, COMPRESSION_CCITTFAX4 };

    TIFFSetField(tiff, TIFFTAG_COMPRESSION, codings[options->coding]);
    if (options->coding == TIFF_JPEG) {
        TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, options->quality);
        if (rgb) {
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR);
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        }
    } else if (options->coding != TIFF_G4 && !options->mono)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
}

static void set_fields(struct tiff_writer *w, const struct tiff_options *options)
{
    bool rgb = w->shape.kind == PIXMAP_RGB && !w->to_gray && !options->mono;
    size_t row =
        options->mono ? ((size_t) w->shape.width + 7) / 8 : (size_t) w->shape.width * (rgb ? 3 : 1);
    uint32_t rows = (uint32_t) (STRIP_BYTES / row) / BLOCK * BLOCK;
    TIFF *tiff = w->tiff;

    rows = rows < BLOCK ? BLOCK : rows;
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, w->shape.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, w->shape.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, options->mono ? 1 : 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, rgb ? 3 : 1);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 rgb             ? PHOTOMETRIC_RGB
                 : options->mono ? PHOTOMETRIC_MINISWHITE
                                 : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, options->dpi);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, options->dpi);
    /* Fax machines and old viewers want a page of group 4 in one strip. */
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, options->coding == TIFF_G4 ? w->shape.height : rows);
    set_coding(tiff, options, rgb);
}

static int begin_page(struct tiff_writer *w, const struct pixmap *shape, bool to_gray,
                      const struct tiff_options *options, struct sink sink, struct err *err)
{
    close_tiff(w);
    w->memory.file.len = 0;
    w->memory.at = 0;
    w->shape = *shape;
    w->to_gray = to_gray;
    w->n_rows = 0;
    w->sink = sink;
    w->row = malloc((size_t) shape->width * 3);
    if (options->mono) {
        w->mono = mono_new(shape->width, err);
        if (!w->mono)
            return -1;
    }
    w->tiff = tiff_memory_open(&w->memory);
    if (!w->row || !w->tiff)
        return no_memory_for_tiff(err);
    set_fields(w, options);
    return 0;
}

static void fill_row(struct tiff_writer *w, const struct pixmap *band, uint32_t y)
{
    const uint8_t *in = pixel_row_of(band, y);
    size_t n = band->width;

    if (w->mono) {
        mono_row(w->mono, band, y, w->row);
        for (size_t i = 0; i < (n + 7) / 8; i++) /* 0 is white in the file */
            w->row[i] = (uint8_t) ~w->row[i];
        if (n % 8)
            w->row[n / 8] = (uint8_t) (w->row[n / 8] & 0xff << (8 - n % 8));
    } else if (w->to_gray) {
        for (size_t x = 0; x < n; x++)
            w->row[x] = in[3 * x];
    } else {
        memcpy(w->row, in, n * band->kind);
    }
}

static int write_tiff_rows(struct tiff_writer *w, const struct pixmap *band, struct err *err)
{
    if (band->height > w->shape.height - w->n_rows)
        return err_set(err, ERR_INTERNAL, "a picture has more rows than it said");
    for (uint32_t y = 0; y < band->height; y++) {
        fill_row(w, band, y);
        if (TIFFWriteScanline(w->tiff, w->row, w->n_rows++, 0) != 1)
            return no_memory_for_tiff(err);
    }
    return 0;
}

int tiff_writer_rows(struct tiff_writer *writer, const struct pixmap *band, struct err *err)
{
    return write_tiff_rows(writer, band, err);
}

int tiff_writer_end(struct tiff_writer *writer, struct err *err)
{
    bool written = TIFFWriteDirectory(writer->tiff) == 1;

    close_tiff(writer);
    if (!written || writer->memory.file.failed)
        return no_memory_for_tiff(err);
    return writer->sink.put(writer->sink.to, writer->memory.file.data, writer->memory.file.len,
                            err);
}

int tiff_writer_begin(struct tiff_writer *writer, const struct pixmap *shape,
                      const struct tiff_options *options, struct sink sink, struct err *err)
{
    return begin_page(writer, shape, false, options, sink, err);
}

int tiff_writer_write(struct tiff_writer *writer, const struct pixmap *pixmap,
                      const struct tiff_options *options, struct sink sink, struct err *err)
{
    bool to_gray = pixmap->kind == PIXMAP_RGB && !options->mono && pixel_class_is_gray(pixmap);

    if (begin_page(writer, pixmap, to_gray, options, sink, err) < 0 ||
        write_tiff_rows(writer, pixmap, err) < 0)
        return -1;
    return tiff_writer_end(writer, err);
}
