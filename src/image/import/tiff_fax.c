#include "image/import/tiff_fax.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "image/tiff/tiff_memory.h"

/* Dithered pictures are larger with fax coding than without. */
static bool is_small(TIFF *tiff, const struct tiff_page *p)
{
    uint64_t most = (uint64_t) TIFFScanlineSize64(tiff) * p->height, bytes = 0;

    for (uint32_t i = 0; i < TIFFNumberOfStrips(tiff) && bytes < most; i++)
        bytes += TIFFRawStripSize64(tiff, i);
    return bytes < most;
}

static bool is_fax(const struct tiff_page *p)
{
    return (p->compression == COMPRESSION_CCITTRLE || p->compression == COMPRESSION_CCITTFAX3 ||
            p->compression == COMPRESSION_CCITTFAX4) &&
           p->bits == 1 && p->samples == 1;
}

bool tiff_keeps_fax(TIFF *tiff, const struct tiff_page *p)
{
    return is_fax(p) && !TIFFIsTiled(tiff) && (TIFFNumberOfStrips(tiff) == 1 || is_small(tiff, p));
}

/* Decodes the page to one bit for each pixel, to verify it and to encode it again. */
static int decode_fax(struct image_file *file, TIFF *tiff, const struct tiff_page *p,
                      uint8_t *pixels, struct err *err)
{
    size_t row = (size_t) TIFFScanlineSize64(tiff);

    for (uint32_t y = 0; y < p->height; y++)
        if (TIFFReadScanline(tiff, pixels + y * row, y, 0) != 1 || *p->cut_off)
            return tiff_page_damaged(file, err);
    return 0;
}

/* Reads the strip's bytes, with the first bit of each as the highest. */
static int read_strip(struct image_file *file, TIFF *tiff, struct err *err)
{
    uint64_t bytes = TIFFRawStripSize64(tiff, 0);
    uint16_t order = FILLORDER_MSB2LSB;
    void *room;

    if (bytes == 0 || bytes > file->n)
        return tiff_page_damaged(file, err);
    room = buf_room(&file->packed, (size_t) bytes);
    if (!room)
        return image_no_memory(err);
    if (TIFFReadRawStrip(tiff, 0, room, (tmsize_t) bytes) != (tmsize_t) bytes)
        return tiff_page_damaged(file, err);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &order);
    if (order == FILLORDER_LSB2MSB)
        TIFFReverseBits(room, (tmsize_t) bytes);
    buf_added(&file->packed, (size_t) bytes);
    return 0;
}

static int keep_coding(struct image_file *file, TIFF *tiff, const struct tiff_page *p,
                       struct image *image, struct err *err)
{
    uint32_t options = 0;

    if (p->compression == COMPRESSION_CCITTFAX4) {
        image->ccitt_k = -1;
    } else if (p->compression == COMPRESSION_CCITTFAX3) {
        TIFFGetField(tiff, TIFFTAG_GROUP3OPTIONS, &options);
        image->ccitt_k = options & GROUP3OPT_2DENCODING ? 1 : 0;
    } else {
        image->ccitt_aligned = true; /* every row begins at a byte (TIFF 6.0, section 10) */
    }
    return read_strip(file, tiff, err);
}

/* Writes a file with one strip; the position of the strip is known from the file. */
static bool write_strip(TIFF *tiff, const struct tiff_page *p, const uint8_t *pixels)
{
    size_t row = ((size_t) p->width + 7) / 8;

    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, p->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, p->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, p->height);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX4);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
    TIFFSetField(tiff, TIFFTAG_FILLORDER, FILLORDER_MSB2LSB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    for (uint32_t y = 0; y < p->height; y++)
        if (TIFFWriteScanline(tiff, (void *) (uintptr_t) (pixels + y * row), y, 0) != 1)
            return false;
    return TIFFFlushData(tiff) == 1;
}

static int code_anew(struct image_file *file, const struct tiff_page *p, const uint8_t *pixels,
                     struct image *image, struct err *err)
{
    struct tiff_memory memory = { .file = BUF_EMPTY };
    TIFF *tiff = tiff_memory_open(&memory);
    struct buf *whole = &memory.file;
    uint64_t *offsets = NULL, *counts = NULL;
    bool failed = false;

    if (!tiff)
        return image_no_memory(err);
    if (write_strip(tiff, p, pixels) && TIFFGetField(tiff, TIFFTAG_STRIPOFFSETS, &offsets) &&
        TIFFGetField(tiff, TIFFTAG_STRIPBYTECOUNTS, &counts) && offsets[0] <= whole->len &&
        counts[0] <= whole->len - offsets[0])
        buf_put(&file->packed, whole->data + offsets[0], (size_t) counts[0]);
    else
        failed = true;
    TIFFCleanup(tiff);
    failed = failed || whole->failed || file->packed.failed;
    buf_free(whole);
    image->ccitt_k = -1;
    return failed ? image_no_memory(err) : 0;
}

int tiff_read_fax(struct image_file *file, TIFF *tiff, const struct tiff_page *p,
                  struct image *image, struct err *err)
{
    AUTO_FREE uint8_t *pixels = calloc(p->height, (size_t) TIFFScanlineSize64(tiff));
    bool one = TIFFNumberOfStrips(tiff) == 1;

    if (!pixels)
        return image_no_memory(err);
    if (decode_fax(file, tiff, p, pixels, err) < 0 ||
        (one ? keep_coding(file, tiff, p, image, err) : code_anew(file, p, pixels, image, err)) <
            0 ||
        image_give_packed(file, image, err) < 0)
        return -1;
    image->coding = IMAGE_CCITT;
    /* Fax black is what the fax code calls black, whatever PhotometricInterpretation says. */
    image->ccitt_black_is_1 = p->photometric == PHOTOMETRIC_MINISBLACK;
    image->inverted = false;
    return 0;
}
