/* tiff_rows: decodes a TIFF page's pixels, a band of strips or tiles at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "image/import/split.h"
#include "image/import/tiff_page.h"

#define BAND_MAX ((size_t) 768 << 20)

struct rows {
    struct image_file *file;
    TIFF *tiff;
    const struct tiff_page *page;
    uint32_t tile_width, tile_height; /* for strips: the picture's width, and the rows of a strip */
    bool tiled;
    size_t sample, kept; /* sample: bytes; kept: samples of a pixel that are kept */
    uint8_t *tile;       /* one strip or tile */
    uint8_t *band;       /* a band of the picture with all samples interleaved */
    size_t band_row;     /* bytes of its row */
    struct split split;
};

static void free_rows(struct rows *r)
{
    free(r->tile);
    free(r->band);
    split_free(&r->split);
}

static tmsize_t read_piece(struct rows *r, uint32_t x, uint32_t y, uint16_t plane)
{
    if (r->tiled)
        return TIFFReadEncodedTile(r->tiff, TIFFComputeTile(r->tiff, x, y, 0, plane), r->tile, -1);
    return TIFFReadEncodedStrip(r->tiff, TIFFComputeStrip(r->tiff, y, plane), r->tile, -1);
}

/* Rescales samples that are not whole bytes to the page's depth, `step` bytes apart, so that the
 * maximum stays the maximum and values stay distinct. */
static void rescale(const struct tiff_page *p, const uint8_t *in, size_t n, uint8_t *out,
                    size_t step)
{
    unsigned max = (1U << p->bits) - 1, bits = 0, have = 0;

    for (size_t i = 0; i < n && max > 0; i++, out += step) {
        for (; have < p->bits; have += 8)
            bits = bits << 8 | *in++;
        have -= p->bits;
        unsigned value = bits >> have & max;
        uint16_t wide = (uint16_t) ((value * 65535U + max / 2) / max);

        if (p->depth == 16)
            memcpy(out, &wide, sizeof wide);
        else
            *out = (uint8_t) ((value * 255U + max / 2) / max);
    }
}

/* Copies a piece's rows to their position; those of a plane to that sample of each pixel. */
static void place_rows(struct rows *r, uint32_t x, uint32_t rows, uint16_t plane, size_t piece_row)
{
    const struct tiff_page *p = r->page;
    uint32_t columns = p->width - x < r->tile_width ? p->width - x : r->tile_width;
    size_t pixel = r->sample * p->samples;

    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *in = r->tile + y * piece_row;
        uint8_t *out = r->band + y * r->band_row;

        if (p->depth != p->bits) {
            bool apart = p->planar == PLANARCONFIG_SEPARATE && p->samples > 1;

            rescale(p, in, apart ? columns : (size_t) columns * p->samples,
                    out + x * pixel + (apart ? plane * r->sample : 0), apart ? pixel : r->sample);
        } else if (p->planar == PLANARCONFIG_SEPARATE && p->samples > 1) {
            out += x * pixel + plane * r->sample;
            for (uint32_t i = 0; i < columns; i++)
                memcpy(out + i * pixel, in + i * r->sample, r->sample);
        } else if (p->bits < 8) { /* tiles begin at whole bytes: their widths are multiples of 16 */
            memcpy(out + (size_t) x * p->bits / 8, in, ((size_t) columns * p->bits + 7) / 8);
        } else {
            memcpy(out + x * pixel, in, columns * pixel);
        }
    }
}

static int read_band(struct rows *r, uint32_t y, uint32_t rows, struct err *err)
{
    const struct tiff_page *p = r->page;
    uint16_t planes = p->planar == PLANARCONFIG_SEPARATE ? p->samples : 1;
    size_t row = (size_t) (r->tiled ? TIFFTileRowSize64(r->tiff) : TIFFScanlineSize64(r->tiff));

    for (uint16_t plane = 0; plane < planes; plane++)
        for (uint32_t x = 0; x < p->width; x += r->tile_width) {
            tmsize_t got = read_piece(r, x, y, plane);

            if (got < 0 || (size_t) got < rows * row || *p->cut_off)
                return tiff_page_damaged(r->file, err);
            place_rows(r, x, rows, plane, row);
        }
    return 0;
}

/* Drops samples that are neither colour nor opacity, and puts the high byte of 16-bit samples
 * first, as PDF requires. In place. */
static void tidy_row(const struct rows *r, uint8_t *row)
{
    size_t pixel = r->sample * r->page->samples, keep = r->sample * r->kept;

    if (pixel != keep && r->page->depth >= 8)
        for (size_t i = 1; i < r->page->width; i++)
            memmove(row + i * keep, row + i * pixel, keep);
    if (r->page->depth == 16)
        TIFFSwabArrayOfShort((uint16_t *) (void *) row, (tmsize_t) (r->page->width * r->kept));
}

static int allocate_memory(struct rows *r, struct err *err)
{
    const struct tiff_page *p = r->page;
    uint32_t rows = 0;
    size_t band;
    tmsize_t piece;

    r->tiled = TIFFIsTiled(r->tiff);
    if (r->tiled) {
        TIFFGetField(r->tiff, TIFFTAG_TILEWIDTH, &r->tile_width);
        TIFFGetField(r->tiff, TIFFTAG_TILELENGTH, &r->tile_height);
        piece = TIFFTileSize(r->tiff);
    } else {
        TIFFGetFieldDefaulted(r->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        r->tile_width = p->width;
        r->tile_height = rows && rows < p->height ? rows : p->height;
        piece = TIFFStripSize(r->tiff);
    }
    r->sample = p->depth / 8;
    r->kept = p->colours + p->alpha;
    r->band_row = p->depth < 8 ? ((size_t) p->width * p->depth + 7) / 8
                               : (size_t) p->width * p->samples * r->sample;
    uint32_t band_height = r->tile_height < p->height ? r->tile_height : p->height;
    if (r->tile_width == 0 || r->tile_height == 0 || (r->tiled && r->tile_width % 16 != 0) ||
        piece <= 0)
        return image_corrupt(r->file, err, "its strips or tiles are wrong");
    if (!num_mul(r->band_row, band_height, &band) || band > BAND_MAX || (size_t) piece > BAND_MAX)
        return image_no_memory(err);
    r->tile = calloc(1, (size_t) piece);
    r->band = calloc(1, band);
    return r->tile && r->band ? 0 : image_no_memory(err);
}

static int read_rows(struct rows *r, struct image *image, struct err *err)
{
    const struct tiff_page *p = r->page;
    struct split_shape shape = { .width = p->width,
                                 .height = p->height,
                                 .components = p->colours,
                                 .bits = p->depth,
                                 .alpha = p->alpha,
                                 .indexed = image->space == IMAGE_INDEXED };

    if (allocate_memory(r, err) < 0 || split_start(&r->split, r->file, &shape, err) < 0)
        return -1;
    for (uint32_t y = 0; y < p->height; y += r->tile_height) {
        uint32_t rows = p->height - y < r->tile_height ? p->height - y : r->tile_height;

        if (read_band(r, y, rows, err) < 0)
            return -1;
        for (uint32_t i = 0; i < rows; i++) {
            tidy_row(r, r->band + i * r->band_row);
            if (split_row(&r->split, r->band + i * r->band_row, err) < 0)
                return -1;
        }
    }
    return split_finish(&r->split, image, err);
}

/* YCbCr without JPEG compression has its own subsampling: libtiff converts the whole page to
 * RGB. */
static int decode_rgb(struct rows *r, struct image *image, struct err *err)
{
    const struct tiff_page *p = r->page;
    struct split_shape shape = {
        .width = p->width, .height = p->height, .components = 3, .bits = 8
    };
    size_t n = (size_t) p->width * p->height * sizeof(uint32_t);
    uint32_t *pixels;

    if (n > BAND_MAX)
        return image_no_memory(err);
    pixels = malloc(n);
    r->tile = (uint8_t *) pixels;
    r->band = malloc((size_t) p->width * 3);
    if (!pixels || !r->band || split_start(&r->split, r->file, &shape, err) < 0)
        return image_no_memory(err);
    if (!TIFFReadRGBAImageOriented(r->tiff, p->width, p->height, pixels, image->orientation, 1))
        return tiff_page_damaged(r->file, err);
    image->bits = 8;
    for (uint32_t y = 0; y < p->height; y++) {
        for (size_t x = 0; x < p->width; x++) {
            uint32_t pixel = pixels[(size_t) y * p->width + x];

            r->band[3 * x] = (uint8_t) TIFFGetR(pixel);
            r->band[3 * x + 1] = (uint8_t) TIFFGetG(pixel);
            r->band[3 * x + 2] = (uint8_t) TIFFGetB(pixel);
        }
        if (split_row(&r->split, r->band, err) < 0)
            return -1;
    }
    return split_finish(&r->split, image, err);
}

int tiff_read_rows(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                   struct image *image, struct err *err)
{
    struct rows r = { .file = file, .tiff = tiff, .page = page };
    bool ycc = page->photometric == PHOTOMETRIC_YCBCR;
    int done;

    if (ycc && page->compression == COMPRESSION_JPEG) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        ycc = false;
    }
    done = ycc ? decode_rgb(&r, image, err) : read_rows(&r, image, err);
    free_rows(&r);
    return done;
}
