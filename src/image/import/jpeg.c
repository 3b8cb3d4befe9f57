/*
 * jpeg: JPEG files (ITU-T T.81), used as they are: PDF's DCTDecode accepts the file itself. Nothing
 * is decoded; the markers are followed from the first to the last, and files that contradict
 * themselves are refused: a reader of the PDF would show gray where data is missing.
 */
#include <string.h>

#include "base/jpeg_marker.h"
#include "base/octets.h"
#include "image/codec/dct.h"
#include "image/import/exif.h"
#include "image/import/icc.h"
#include "image/import/image_file.h"
#include "image/import/jpeg_scan.h"

#define ICC_HEAD   14 /* "ICC_PROFILE\0", number, count */
#define ICC_CHUNKS 255

static const uint8_t end_marker[] = { 0xff, JPEG_EOI };

struct jpeg {
    struct image_file *file;
    struct jpeg_frame frame;
    bool framed, tables, endless;
    bool jfif, adobe;
    unsigned transform;    /* Adobe's: 0 none, 1 YCbCr, 2 YCCK */
    double jfif_x, jfif_y; /* dots an inch */
    struct exif exif;
    bool has_exif;
    struct {
        const uint8_t *data;
        size_t n;
    } icc[ICC_CHUNKS + 1]; /* from 1 */
    unsigned icc_count;
};

static int read_frame(struct jpeg *j, unsigned marker, const uint8_t *p, size_t n, struct err *err)
{
    struct jpeg_frame *f = &j->frame;

    if (marker > JPEG_SOF2)
        return image_unsupported(j->file, err, "a lossless, hierarchical or arithmetic coding");
    if (n < 6 || j->framed)
        return image_corrupt(j->file, err, "its frame header is wrong");
    if (p[0] != 8)
        return image_unsupported(j->file, err, "more than 8 bits a component");
    f->progressive = marker == JPEG_SOF2;
    f->height = octets_be16(p + 1);
    f->width = octets_be16(p + 3);
    f->n = p[5];
    if (f->height == 0)
        return image_unsupported(j->file, err, "no height in its frame header");
    if (f->n != 1 && f->n != 3 && f->n != 4)
        return image_unsupported(j->file, err, "an unusual number of components");
    if (n < 6 + 3 * (size_t) f->n)
        return image_corrupt(j->file, err, "its frame header is too short");
    for (unsigned i = 0; i < f->n; i++) {
        const uint8_t *c = p + 6 + 3 * (size_t) i;

        f->components[i] = (struct jpeg_component){ c[0], c[1] >> 4, c[1] & 15 };
        if (c[1] >> 4 < 1 || c[1] >> 4 > 4 || (c[1] & 15) < 1 || (c[1] & 15) > 4)
            return image_corrupt(j->file, err, "its sampling factors are wrong");
    }
    j->framed = true;
    return image_check_size(j->file, f->width, f->height, err);
}

static void read_jfif(struct jpeg *j, const uint8_t *p, size_t n)
{
    double scale;

    if (n < 12 || memcmp(p, "JFIF", 5) != 0 || j->jfif)
        return;
    j->jfif = true;
    scale = p[7] == 1 ? 1 : p[7] == 2 ? 2.54 : 0; /* 0: only the aspect ratio is given */
    j->jfif_x = scale * octets_be16(p + 8);
    j->jfif_y = scale * octets_be16(p + 10);
}

static void read_icc(struct jpeg *j, const uint8_t *p, size_t n)
{
    if (n <= ICC_HEAD || memcmp(p, "ICC_PROFILE", 12) != 0 || p[12] == 0 || j->icc[p[12]].data)
        return;
    j->icc_count = p[13];
    j->icc[p[12]].data = p + ICC_HEAD;
    j->icc[p[12]].n = n - ICC_HEAD;
}

static int read_segment(struct jpeg *j, unsigned marker, const uint8_t *p, size_t n,
                        struct err *err)
{
    if (jpeg_marker_is_frame(marker))
        return read_frame(j, marker, p, n, err);
    if (marker == JPEG_DAC)
        return image_unsupported(j->file, err, "an arithmetic coding");
    if (marker == JPEG_DNL)
        return image_unsupported(j->file, err, "its height at its end");
    if (marker == JPEG_DQT)
        j->tables = true;
    if (marker == JPEG_DRI && n >= 2)
        j->frame.restart_interval = octets_be16(p);
    if (marker == JPEG_APP0)
        read_jfif(j, p, n);
    if (marker == JPEG_APP1 && n > 6 && !j->has_exif && memcmp(p, "Exif\0", 6) == 0) {
        j->has_exif = true;
        exif_read(p + 6, n - 6, &j->exif);
    }
    if (marker == JPEG_APP2)
        read_icc(j, p, n);
    if (marker == JPEG_APP14 && n >= 12 && memcmp(p, "Adobe", 5) == 0) {
        j->adobe = true;
        j->transform = p[11];
    }
    return 0;
}

/* Finds the next marker at *at and moves past it; 0 at the end of the file. Any number of fill
 * bytes may precede it (B.1.1.2); other bytes are skipped as every decoder does. */
static unsigned next_marker(const uint8_t *data, size_t n, size_t *at)
{
    while (*at < n) {
        const uint8_t *ff = memchr(data + *at, 0xff, n - *at);

        if (!ff)
            break;
        *at = (size_t) (ff - data) + 1;
        while (*at < n && data[*at] == 0xff)
            ++*at;
        if (*at < n && data[*at] != 0)
            return data[(*at)++];
    }
    *at = n;
    return 0;
}

/* Whether a file without its end marker has all pixels: with the marker added, it decodes without a
 * warning. */
static bool is_complete(const struct jpeg *j)
{
    AUTO_BUF struct buf whole = BUF_EMPTY;
    struct raster raster = { 0 };
    bool complete;

    if (!j->framed || !jpeg_is_complete(&j->frame))
        return false;
    buf_put(&whole, j->file->data, j->file->n);
    buf_put(&whole, end_marker, sizeof end_marker);
    complete = !whole.failed && dct_read(whole.data, whole.len, -1, 1, &raster);
    raster_free(&raster);
    return complete;
}

/* Follows the markers to the end of the (first) picture, *end. */
static int walk_markers(struct jpeg *j, size_t *end, struct err *err)
{
    const uint8_t *data = j->file->data;
    size_t n = j->file->n, at = 2;
    const char *wrong;

    for (;;) {
        unsigned marker = next_marker(data, n, &at);

        if (marker == 0 && !is_complete(j))
            return image_corrupt(j->file, err, "it is cut off");
        j->endless = marker == 0;
        if (j->endless || marker == JPEG_EOI)
            break;
        if (marker == JPEG_TEM || (marker >= JPEG_RST0 && marker <= JPEG_SOI))
            continue;
        if (n - at < 2 || octets_be16(data + at) < 2 || octets_be16(data + at) > n - at)
            return image_corrupt(j->file, err, "it is cut off");
        size_t length = octets_be16(data + at);
        if (read_segment(j, marker, data + at + 2, length - 2, err) < 0)
            return -1;
        if (marker == JPEG_SOS) {
            if (!j->framed || !j->tables)
                return image_corrupt(j->file, err, "a table or its frame header is missing");
            wrong = jpeg_scan(&j->frame, data + at + 2, length - 2, data + at + length,
                              n - at - length);
            if (wrong)
                return image_corrupt(j->file, err, wrong);
        }
        at += length;
    }
    wrong = jpeg_missing(&j->frame);
    if (!j->framed || wrong)
        return image_corrupt(j->file, err, j->framed ? wrong : "it has no frame header");
    *end = at;
    return 0;
}

static void join_icc(struct jpeg *j, struct image *image)
{
    struct buf *profile = &j->file->icc;

    for (unsigned i = 1; i <= j->icc_count; i++) {
        if (!j->icc[i].data)
            break;
        buf_put(profile, j->icc[i].data, j->icc[i].n);
    }
    if (j->icc_count == 0 || profile->failed)
        return;
    image->icc_dropped = !icc_fits((const uint8_t *) profile->data, profile->len, j->frame.n);
    if (image->icc_dropped)
        return;
    image->colour.icc = (const uint8_t *) profile->data;
    image->colour.icc_bytes = profile->len;
}

/* Decoders treat three components as RGB if their identifiers say so and nothing else
 * contradicts (libjpeg's jdapimin.c); PDF (table 13) treats them as YCbCr by default. */
static bool is_plain_rgb(const struct jpeg *j)
{
    const struct jpeg_component *c = j->frame.components;

    return j->frame.n == 3 && !j->jfif && !j->adobe && c[0].id == 'R' && c[1].id == 'G' &&
           c[2].id == 'B';
}

static int next_jpeg(struct image_file *file, struct image *image, struct err *err)
{
    struct jpeg j = { .file = file };
    size_t end = 0;

    if (file->index > 0)
        return 0; /* what may follow are other sizes of the same picture, or not meant to be seen */
    if (walk_markers(&j, &end, err) < 0 || image_add_piece(file, file->data, end, err) < 0 ||
        (j.endless && image_add_piece(file, end_marker, sizeof end_marker, err) < 0))
        return -1;
    image->endless = j.endless;
    image->width = j.frame.width;
    image->height = j.frame.height;
    image->bits = 8;
    image->space = j.frame.n == 1 ? IMAGE_GRAY : j.frame.n == 3 ? IMAGE_RGB : IMAGE_CMYK;
    /* Adobe's programs store CMYK inverted, and so do all that write their marker. */
    image->inverted = j.frame.n == 4 && j.adobe;
    image->plain_rgb = is_plain_rgb(&j);
    image->coding = IMAGE_JPEG;
    image_give_pieces(file, image);
    join_icc(&j, image);
    image->dpi_x = j.jfif_x > 1 ? j.jfif_x : j.exif.dpi_x;
    image->dpi_y = j.jfif_y > 1 ? j.jfif_y : j.exif.dpi_y;
    if (j.exif.orientation)
        image->orientation = j.exif.orientation;
    return 1;
}

const struct image_format image_import_jpeg = { "jpg", next_jpeg, NULL };
