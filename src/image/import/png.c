/*
 * png: PNG files (ISO/IEC 15948). FlateDecode with a PNG predictor accepts their compressed data,
 * so it is used as it is after it was verified; only opacity and interlacing, which PDF represents
 * differently, require decoding.
 */
#include "image/import/png_head.h"

#include <libdeflate.h>
#include <math.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "image/import/exif.h"
#include "image/import/icc.h"
#include "image/import/png_passes.h"
#include "syntax/inflate/inflate.h"

#define SIGNATURE  8
#define CHUNK      12 /* length, type, CRC */
#define ICC_MAX    ((size_t) 8 << 20)
#define SRGB_GAMMA 45455
#define INCH       0.0254
#define NAME_MAX_  80 /* of a profile, with its NUL */

struct png {
    struct image_file *file;
    struct image *image;
    struct png_head head;
    bool has_palette, ended, srgb;
    uint32_t gamma; /* 0: not given */
    const uint8_t *chromaticities;
    const uint8_t *profile; /* contents of iCCP, compressed */
    size_t profile_bytes;
};

static bool is(const uint8_t *chunk, const char *type)
{
    return memcmp(chunk + 4, type, 4) == 0;
}

static int read_head(struct png *png, const uint8_t *p, size_t n, struct err *err)
{
    static const unsigned depths[] = { [PNG_GRAY] = 1 | 2 | 4 | 8 | 16,
                                       [PNG_RGB] = 8 | 16,
                                       [PNG_INDEXED] = 1 | 2 | 4 | 8,
                                       [PNG_GRAY_ALPHA] = 8 | 16,
                                       [PNG_RGB_ALPHA] = 8 | 16 };
    struct png_head *h = &png->head;

    if (n != 13)
        return image_corrupt(png->file, err, "its header is wrong");
    h->width = octets_be32(p);
    h->height = octets_be32(p + 4);
    h->bits = p[8];
    h->type = p[9];
    h->interlaced = p[12] == 1;
    if (h->type >= COUNT(depths) || (h->bits & (h->bits - 1)) != 0 ||
        !(depths[h->type] & h->bits) || p[10] != 0 || p[11] != 0 || p[12] > 1)
        return image_corrupt(png->file, err, "its header is wrong");
    return image_check_size(png->file, h->width, h->height, err);
}

static int read_palette(struct png *png, const uint8_t *p, size_t n, struct err *err)
{
    if (png->head.type != PNG_INDEXED)
        return 0; /* suggested palettes are ignored */
    if (n == 0 || n % 3 != 0 || n / 3 > IMAGE_PALETTE || png->has_palette)
        return image_corrupt(png->file, err, "its palette is wrong");
    memcpy(png->image->palette, p, n);
    png->image->n_palette = (unsigned) n / 3;
    png->has_palette = true;
    return 0;
}

/* Reads ancillary chunks; malformed ones are ignored. */
static void read_extra(struct png *png, const uint8_t *chunk, const uint8_t *p, size_t n)
{
    struct exif exif;

    if (is(chunk, "tRNS") && n > 0) {
        png->head.transparent = true;
    } else if (is(chunk, "gAMA") && n == 4) {
        png->gamma = octets_be32(p);
    } else if (is(chunk, "cHRM") && n == 32) {
        png->chromaticities = p;
    } else if (is(chunk, "sRGB")) {
        png->srgb = true;
    } else if (is(chunk, "iCCP") && !png->profile) {
        const uint8_t *end = memchr(p, 0, n < NAME_MAX_ ? n : NAME_MAX_);

        if (end && (size_t) (p + n - end) > 2 && end[1] == 0) {
            png->profile = end + 2;
            png->profile_bytes = (size_t) (p + n - end) - 2;
        }
    } else if (is(chunk, "pHYs") && n == 9 && p[8] == 1) {
        png->image->dpi_x = octets_be32(p) * INCH;
        png->image->dpi_y = octets_be32(p + 4) * INCH;
    } else if (is(chunk, "eXIf")) {
        exif_read(p, n, &exif);
        if (exif.orientation)
            png->image->orientation = exif.orientation;
    } else if (is(chunk, "acTL")) {
        png->file->animated = true;
    }
}

/* Handles one chunk of n bytes whose CRC was computed; `broken`: it does not match. */
static int read_chunk(struct png *png, const uint8_t *chunk, size_t n, bool broken, struct err *err)
{
    const uint8_t *p = chunk + 8;
    bool critical = !(chunk[4] & 0x20);

    if (broken)
        return critical ? image_corrupt(png->file, err, "a checksum is wrong") : 0;
    if (is(chunk, "IDAT")) {
        if (png->head.type == PNG_INDEXED && !png->has_palette)
            return image_corrupt(png->file, err, "its palette is missing");
        return n ? image_add_piece(png->file, p, n, err) : 0;
    }
    if (is(chunk, "PLTE"))
        return read_palette(png, p, n, err);
    if (is(chunk, "IEND"))
        png->ended = true;
    else if (critical)
        return image_unsupported(png->file, err, "a chunk of a later version");
    else
        read_extra(png, chunk, p, n);
    return 0;
}

/* Whether the chunk that is cut off holds pixels. */
static bool is_data_cut(const struct png *png, size_t at)
{
    return png->file->n - at >= 8 && is(png->file->data + at, "IDAT");
}

static int walk_chunks(struct png *png, struct err *err)
{
    const uint8_t *data = png->file->data;
    size_t n = png->file->n, at = SIGNATURE;

    while (!png->ended) {
        const uint8_t *chunk = data + at;
        uint32_t length;

        if (n - at < CHUNK || octets_be32(chunk) > n - at - CHUNK) {
            png->image->endless = png->file->n_pieces > 0 && !is_data_cut(png, at);
            if (png->image->endless)
                break;
            return image_corrupt(png->file, err, "it is cut off");
        }
        length = octets_be32(chunk);
        bool broken =
            libdeflate_crc32(0, chunk + 4, (size_t) length + 4) != octets_be32(chunk + 8 + length);
        if (at == SIGNATURE) {
            if (!is(chunk, "IHDR") || broken)
                return image_corrupt(png->file, err, "its header is wrong");
            if (read_head(png, chunk + 8, length, err) < 0)
                return -1;
        } else if (read_chunk(png, chunk, length, broken, err) < 0) {
            return -1;
        }
        at += CHUNK + (size_t) length;
    }
    return 0;
}

static unsigned bits_of_pixel(const struct png_head *h)
{
    static const unsigned components[] = { 1, 0, 3, 1, 2, 0, 4 };

    return components[h->type] * h->bits;
}

static int check_data(struct png *png, struct err *err)
{
    /* Adam7: where each pass begins, and the distance of its pixels. */
    static const struct {
        unsigned x, y, dx, dy;
    } adam7[] = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
                  { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 } };
    const struct png_head *h = &png->head;
    struct png_pass passes[7];
    size_t n = 0, bits = bits_of_pixel(h);

    if (!h->interlaced) {
        passes[n++] = (struct png_pass){ h->height, (h->width * bits + 7) / 8 };
    } else {
        for (size_t i = 0; i < COUNT(adam7); i++) {
            size_t columns = (h->width + adam7[i].dx - 1 - adam7[i].x) / adam7[i].dx;
            size_t rows = (h->height + adam7[i].dy - 1 - adam7[i].y) / adam7[i].dy;

            if (columns && rows)
                passes[n++] = (struct png_pass){ rows, (columns * bits + 7) / 8 };
        }
    }
    if (png_passes_check(png->file->pieces, png->file->n_pieces, passes, n, err) == 0)
        return 0;
    return err->code == ERR_CORRUPT_FILE ? err_wrap(err, "the PNG file is damaged") : -1;
}

/* Computes the matrix of /CalRGB from cHRM's x and y of white, red, green and blue (ISO/IEC
 * 15948, annex C). False if the colours are degenerate. */
static bool set_matrix(struct image_colour *colour, const uint8_t *p)
{
    double x[4], y[4], z[4], s[3];

    for (size_t i = 0; i < 4; i++) {
        double cx = octets_be32(p + 8 * i) / 1e5, cy = octets_be32(p + 8 * i + 4) / 1e5;

        if (cy < 0.001 || cy > 1 || cx > 1)
            return false;
        x[i] = cx / cy;
        y[i] = 1;
        z[i] = (1 - cx - cy) / cy;
    }
    /* The amounts of the three primaries that give white, by Cramer's rule. */
    double det = x[1] * (z[3] - z[2]) + x[2] * (z[1] - z[3]) + x[3] * (z[2] - z[1]);
    if (fabs(det) < 1e-6)
        return false;
    s[0] = (x[0] * (z[3] - z[2]) + x[2] * (z[0] - z[3]) + x[3] * (z[2] - z[0])) / det;
    s[1] = (x[1] * (z[3] - z[0]) + x[0] * (z[1] - z[3]) + x[3] * (z[0] - z[1])) / det;
    s[2] = (x[1] * (z[0] - z[2]) + x[2] * (z[1] - z[0]) + x[0] * (z[2] - z[1])) / det;
    for (size_t i = 0; i < 3; i++) {
        colour->matrix[3 * i] = x[i + 1] * s[i];
        colour->matrix[3 * i + 1] = y[i + 1] * s[i];
        colour->matrix[3 * i + 2] = z[i + 1] * s[i];
    }
    colour->white[0] = x[0];
    colour->white[1] = 1;
    colour->white[2] = z[0];
    return true;
}

static bool near_srgb(const uint8_t *p)
{
    static const uint32_t srgb[] = { 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000 };

    for (size_t i = 0; i < COUNT(srgb); i++)
        if (labs((long) octets_be32(p + 4 * i) - (long) srgb[i]) > 100)
            return false;
    return true;
}

static void read_colour(struct png *png)
{
    static const uint8_t srgb[32] = { 0, 0, 0x7a, 0x26, 0, 0, 0x80, 0x84, 0, 0, 0xfa, 0,
                                      0, 0, 0x80, 0xe8, 0, 0, 0x75, 0x30, 0, 0, 0xea, 0x60,
                                      0, 0, 0x3a, 0x98, 0, 0, 0x17, 0x70 };
    struct image_colour *colour = &png->image->colour;
    struct buf *icc = &png->file->icc;
    unsigned components = png->head.type == PNG_GRAY || png->head.type == PNG_GRAY_ALPHA ? 1 : 3;
    const uint8_t *where = png->chromaticities ? png->chromaticities : srgb;

    if (png->profile) {
        png->image->icc_dropped = !inflate_bytes(png->profile, png->profile_bytes, ICC_MAX, icc) ||
                                  !icc_fits((const uint8_t *) icc->data, icc->len, components);
        if (!png->image->icc_dropped) {
            colour->icc = (const uint8_t *) icc->data;
            colour->icc_bytes = icc->len;
            return;
        }
    }
    /* sRGB needs no description: readers assume it for device colours. */
    if (png->srgb || png->gamma < 1000 || png->gamma > 1000000)
        return;
    if (labs((long) png->gamma - SRGB_GAMMA) < 500 && near_srgb(where))
        return;
    colour->gamma = 1e5 / png->gamma;
    colour->calibrated = set_matrix(colour, where);
}

static int next_png(struct image_file *file, struct image *image, struct err *err)
{
    struct png png = { .file = file, .image = image };
    const struct png_head *h = &png.head;

    if (file->index > 0)
        return 0;
    if (walk_chunks(&png, err) < 0 || check_data(&png, err) < 0)
        return -1;
    image->width = h->width;
    image->height = h->height;
    image->bits = h->bits;
    image->space = h->type == PNG_INDEXED                             ? IMAGE_INDEXED
                   : h->type == PNG_GRAY || h->type == PNG_GRAY_ALPHA ? IMAGE_GRAY
                                                                      : IMAGE_RGB;
    read_colour(&png);
    if (h->interlaced || h->transparent || h->type == PNG_GRAY_ALPHA || h->type == PNG_RGB_ALPHA)
        return png_decode(file, h, image, err) < 0 ? -1 : 1;
    image->coding = IMAGE_FLATE;
    image_give_pieces(file, image);
    return 1;
}

const struct image_format image_import_png = { "png", next_png, NULL };
