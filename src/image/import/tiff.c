/* tiff: TIFF files (TIFF 6.0), all their pages, by libtiff. */
#include "image/import/tiff_page.h"

#include <stdlib.h>
#include <string.h>

#include "image/import/icc.h"

#define ALLOC_MAX ((tmsize_t) 1 << 30) /* limit of one allocation of libtiff */
#define PAGES_MAX 65535

struct reader {
    struct image_file *file;
    TIFF *tiff;
    uint64_t at;
    bool started; /* the first directory was read */
    bool cut_off; /* for struct tiff_page */
};

static tmsize_t on_read(thandle_t handle, void *out, tmsize_t n)
{
    struct reader *r = (struct reader *) handle;
    uint64_t left = r->at < r->file->n ? r->file->n - r->at : 0;
    tmsize_t got = (uint64_t) n < left ? n : (tmsize_t) left;

    if (got > 0)
        memcpy(out, r->file->data + r->at, (size_t) got);
    r->at += (uint64_t) got;
    return got;
}

static tmsize_t on_write(thandle_t handle, void *data, tmsize_t n)
{
    (void) handle, (void) data, (void) n;
    return -1;
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence)
{
    struct reader *r = (struct reader *) handle;

    if (whence == SEEK_SET)
        r->at = offset;
    else
        r->at = (whence == SEEK_CUR ? r->at : r->file->n) + offset;
    return r->at;
}

static int on_close(thandle_t handle)
{
    (void) handle;
    return 0;
}

static toff_t on_size(thandle_t handle)
{
    return ((struct reader *) handle)->file->n;
}

static int on_map(thandle_t handle, void **data, toff_t *n)
{
    struct reader *r = (struct reader *) handle;

    *data = (void *) (uintptr_t) r->file->data; /* it is only read */
    *n = r->file->n;
    return 1;
}

static void on_unmap(thandle_t handle, void *data, toff_t n)
{
    (void) handle, (void) data, (void) n;
}

static int on_message(TIFF *tiff, void *arg, const char *module, const char *fmt, va_list ap)
{
    struct reader *r = arg;

    (void) tiff, (void) module, (void) ap;
    if (strstr(fmt, "Premature EOF"))
        r->cut_off = true;
    return 1; /* the error was reported; other problems are returned as failures */
}

/* Opens the file; NULL on failure. */
static struct reader *start_reader(struct image_file *file, struct err *err)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    struct reader *r = calloc(1, sizeof *r);

    if (!options || !r) {
        free(r);
        TIFFOpenOptionsFree(options);
        image_no_memory(err);
        return NULL;
    }
    file->state = r;
    r->file = file;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, ALLOC_MAX);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_message, r);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_message, r);
    r->tiff = TIFFClientOpenExt("tiff", "r", r, on_read, on_write, on_seek, on_close, on_size,
                                on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    if (r->tiff)
        return r;
    image_corrupt(file, err, "its directory cannot be read");
    return NULL;
}

/* Finds how many samples are colour, and their PDF colour space. */
static int read_space(struct image_file *file, struct tiff_page *p, struct image *image,
                      struct err *err)
{
    p->colours = 1;
    switch (p->photometric) {
    case PHOTOMETRIC_MINISWHITE:
        image->inverted = true;
        image->space = IMAGE_GRAY;
        break;
    case PHOTOMETRIC_MINISBLACK:
        image->space = IMAGE_GRAY;
        break;
    case PHOTOMETRIC_PALETTE:
        image->space = IMAGE_INDEXED;
        break;
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_YCBCR:
        image->space = IMAGE_RGB;
        p->colours = 3;
        break;
    case PHOTOMETRIC_SEPARATED:
        image->space = IMAGE_CMYK;
        p->colours = 4;
        break;
    default:
        return image_unsupported(file, err, "colours other than gray, RGB, CMYK and YCbCr");
    }
    if (p->samples < p->colours)
        return image_corrupt(file, err, "it has too few samples a pixel");
    return 0;
}

static int read_palette(struct image_file *file, TIFF *tiff, const struct tiff_page *p,
                        struct image *image, struct err *err)
{
    uint16_t *map[3];
    unsigned n = 1U << p->bits;
    bool wide = false; /* some files have 8-bit values where 16-bit ones belong */

    if (p->bits > 8 || p->samples != 1)
        return image_unsupported(file, err, "a palette of more than 8 bits");
    if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
        return image_corrupt(file, err, "its palette is missing");
    for (unsigned i = 0; i < 3 * n; i++)
        wide |= map[i % 3][i / 3] > 255;
    for (unsigned i = 0; i < 3 * n; i++)
        image->palette[i] = (uint8_t) (map[i % 3][i / 3] >> (wide ? 8 : 0));
    image->n_palette = n;
    return 0;
}

static void read_alpha(TIFF *tiff, struct tiff_page *p, struct image *image)
{
    uint16_t n = 0, *kinds = NULL;

    if (p->samples <= p->colours || !TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &n, &kinds) || n == 0)
        return;
    p->alpha = kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA;
    image->premultiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
}

static void read_description(TIFF *tiff, const struct tiff_page *p, struct image *image)
{
    uint16_t orientation = 1, unit = RESUNIT_INCH;
    float x = 0, y = 0;
    uint32_t n;
    const void *profile;

    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x);
    TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y);
    double scale = unit == RESUNIT_INCH ? 1 : unit == RESUNIT_CENTIMETER ? 2.54 : 0;
    image->dpi_x = (double) x * scale;
    image->dpi_y = (double) y * scale;
    image->orientation = orientation;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &n, &profile) &&
        p->photometric != PHOTOMETRIC_YCBCR) {
        image->icc_dropped = !icc_fits(profile, n, image->space == IMAGE_INDEXED ? 3 : p->colours);
        if (!image->icc_dropped) {
            image->colour.icc = profile;
            image->colour.icc_bytes = n;
        }
    }
}

/* PDF allows samples of 1, 2, 4, 8 and 16 bits; here, pixels of several samples have whole
 * bytes. */
static int choose_depth(const struct image_file *file, struct tiff_page *p, struct err *err)
{
    bool fits = p->bits == 1 || p->bits == 2 || p->bits == 4 || p->bits == 8 || p->bits == 16;

    if (p->bits == 0 || p->bits > 16 ||
        (!fits && (p->photometric == PHOTOMETRIC_PALETTE || p->photometric == PHOTOMETRIC_YCBCR ||
                   p->compression == COMPRESSION_JPEG)))
        return image_unsupported(file, err, "samples of an unusual number of bits");
    p->depth = fits && (p->samples == 1 || p->bits >= 8) ? p->bits : p->bits > 8 ? 16 : 8;
    return 0;
}

static int read_tiff_page(struct image_file *file, TIFF *tiff, struct tiff_page *p,
                          struct image *image, struct err *err)
{
    uint16_t format = SAMPLEFORMAT_UINT, ink = INKSET_CMYK;

    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &p->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &p->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &p->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &p->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &p->compression);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &p->planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &ink);
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &p->photometric))
        p->photometric = p->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISWHITE;
    if (image_check_size(file, p->width, p->height, err) < 0)
        return -1;
    if (!TIFFIsCODECConfigured(p->compression))
        return image_unsupported(file, err, "an unusual compression");
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
        return image_unsupported(file, err, "samples that are floating-point or signed numbers");
    if (choose_depth(file, p, err) < 0)
        return -1;
    if (p->photometric == PHOTOMETRIC_SEPARATED && ink != INKSET_CMYK)
        return image_unsupported(file, err, "inks other than CMYK");
    image->width = p->width;
    image->height = p->height;
    image->bits = p->depth;
    if (read_space(file, p, image, err) < 0)
        return -1;
    if (image->space == IMAGE_INDEXED && read_palette(file, tiff, p, image, err) < 0)
        return -1;
    read_alpha(tiff, p, image);
    read_description(tiff, p, image);
    return 0;
}

/* Finds the next directory that is a page, not a preview or a mask. 0: there is none. */
static int next_page(struct reader *r, struct err *err)
{
    for (size_t i = 0; i < PAGES_MAX; i++) {
        uint32_t type = 0;

        if (r->started && !TIFFReadDirectory(r->tiff))
            return TIFFLastDirectory(r->tiff)
                       ? 0
                       : image_corrupt(r->file, err, "a directory of it cannot be read");
        r->started = true;
        TIFFGetFieldDefaulted(r->tiff, TIFFTAG_SUBFILETYPE, &type);
        if (!(type & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
            return 1;
    }
    return 0;
}

static int next_tiff(struct image_file *file, struct image *image, struct err *err)
{
    struct tiff_page page = { 0 };
    struct reader *r = file->state ? file->state : start_reader(file, err);
    int got;

    if (!r)
        return -1;
    got = next_page(r, err);
    if (got == 0 && file->index == 0)
        return image_corrupt(file, err, "there is no picture in it");
    if (got <= 0)
        return got;
    r->cut_off = false;
    page.cut_off = &r->cut_off;
    if (read_tiff_page(file, r->tiff, &page, image, err) < 0)
        return -1;
    got = tiff_read_raw(file, r->tiff, &page, image, err);
    if (got == 0)
        got = tiff_read_rows(file, r->tiff, &page, image, err);
    return got < 0 ? -1 : 1;
}

static void close_tiff(struct image_file *file)
{
    struct reader *r = file->state;

    if (r && r->tiff)
        TIFFClose(r->tiff);
    free(r);
}

const struct image_format image_import_tiff = { "tiff", next_tiff, close_tiff };
