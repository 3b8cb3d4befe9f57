/* tiff_raw: data of a TIFF page in an encoding that PDF supports: fax coding, and JPEG. */
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "image/import/tiff_fax.h"
#include "image/import/tiff_page.h"

#define MARKER ((size_t) 2) /* bytes of SOI, EOI */

static bool is_jpeg(TIFF *tiff, const struct tiff_page *p)
{
    return p->compression == COMPRESSION_JPEG && p->bits == 8 && !p->alpha &&
           p->samples == p->colours && p->planar == PLANARCONFIG_CONTIG && !TIFFIsTiled(tiff) &&
           TIFFNumberOfStrips(tiff) == 1;
}

/* Joins the tables that all strips share, without their last marker, and the strip, without its
 * first, to a whole JPEG (TIFF Technical Note 2). False: it is not one. */
static bool join_tables(struct image_file *file, TIFF *tiff)
{
    uint64_t bytes = TIFFRawStripSize64(tiff, 0);
    AUTO_FREE uint8_t *strip = NULL;
    const uint8_t *tables = NULL;
    uint32_t n = 0;

    if (bytes < 2 * MARKER || bytes > file->n || !(strip = malloc((size_t) bytes)) ||
        TIFFReadRawStrip(tiff, 0, strip, (tmsize_t) bytes) != (tmsize_t) bytes)
        return false;
    if (TIFFGetField(tiff, TIFFTAG_JPEGTABLES, &n, &tables) && n > 2 * MARKER &&
        octets_be16(tables) == 0xffd8 && octets_be16(tables + n - MARKER) == 0xffd9)
        buf_put(&file->packed, tables, n - MARKER);
    else
        buf_put(&file->packed, strip, MARKER);
    buf_put(&file->packed, strip + MARKER, (size_t) bytes - MARKER);
    return !file->packed.failed;
}

/* Checks the JPEG like a file of its own. If it is not a whole JPEG, libtiff decodes the page. */
static bool copy_jpeg(struct image_file *file, TIFF *tiff, const struct tiff_page *p,
                      struct image *image)
{
    struct image_file inner = { .format = &image_import_jpeg };
    struct image found = { .orientation = 1 };
    struct err ignored;
    bool fits = false;

    if (!join_tables(file, tiff))
        return false;
    inner.data = (const uint8_t *) file->packed.data;
    inner.n = file->packed.len;
    if (image_import_jpeg.next(&inner, &found, &ignored) == 1)
        fits = found.width == p->width && found.height == p->height &&
               found.space == image->space && found.data.pieces[0].iov_len == file->packed.len;
    image->plain_rgb = p->photometric == PHOTOMETRIC_RGB;
    /* `inverted` is set already if Adobe's marker says so. */
    if (fits && found.inverted)
        image->inverted = !image->inverted;
    buf_free(&inner.icc);
    free(inner.pieces);
    return fits;
}

int tiff_read_raw(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                  struct image *image, struct err *err)
{
    if (tiff_keeps_fax(tiff, page))
        return tiff_read_fax(file, tiff, page, image, err) < 0 ? -1 : 1;
    if (!is_jpeg(tiff, page))
        return 0;
    if (!copy_jpeg(file, tiff, page, image)) {
        buf_drop(&file->packed, file->packed.len);
        return 0;
    }
    if (image_give_packed(file, image, err) < 0)
        return -1;
    image->coding = IMAGE_JPEG;
    return 1;
}
