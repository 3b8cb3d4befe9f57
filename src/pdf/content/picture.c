#include "pdf/content/picture.h"

#include <stdio.h>
#include <string.h>

#include "pdf/document/doc.h"
#include "syntax/inflate/flate.h"
#include "syntax/pdf/literal.h"

static unsigned components_of(const struct image *image)
{
    switch (image->space) {
    case IMAGE_GRAY:
    case IMAGE_INDEXED: /* of its data; its colours are RGB */
        return 1;
    case IMAGE_RGB:
        return 3;
    case IMAGE_CMYK:
        return 4;
    }
    return 1;
}

static const char *device_of(const struct image *image)
{
    switch (image->space) {
    case IMAGE_GRAY:
        return "/DeviceGray";
    case IMAGE_INDEXED:
    case IMAGE_RGB:
        return "/DeviceRGB";
    case IMAGE_CMYK:
        return "/DeviceCMYK";
    }
    return "";
}

/* The profile's object, written if it was not yet. */
static unsigned write_profile(struct pdf_writer *writer, struct picture_shared *shared,
                              const struct image *image, struct err *err)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    unsigned n = image->space == IMAGE_INDEXED ? 3 : components_of(image), number;
    char digest[DIGEST_TEXT], dict[120];

    digest_text(image->colour.icc, image->colour.icc_bytes, digest);
    for (size_t i = 0; i < shared->n; i++)
        if (strcmp(shared->profiles[i].digest, digest) == 0)
            return shared->profiles[i].number;
    number = pdf_writer_number(writer, err);
    if (number == 0)
        return 0;
    if (!flate_pack(image->colour.icc, image->colour.icc_bytes, FLATE_QUICK, &packed)) {
        pdf_doc_no_memory(err);
        return 0;
    }
    snprintf(dict, sizeof dict, "/N %u/Alternate%s/Filter/FlateDecode", n, device_of(image));
    struct iovec piece = { packed.data, packed.len };
    if (pdf_writer_stream(writer, number, dict, &piece, 1, err) < 0)
        return 0;
    if (shared->n < PICTURE_PROFILES) {
        memcpy(shared->profiles[shared->n].digest, digest, sizeof digest);
        shared->profiles[shared->n++].number = number;
    }
    return number;
}

static void put_numbers(struct buf *out, const char *key, const double *values, size_t n)
{
    buf_printf(out, "%s[", key);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.5f", i ? " " : "", values[i]);
    buf_putc(out, ']');
}

static void put_calibrated(struct buf *out, const struct image *image)
{
    const struct image_colour *colour = &image->colour;
    double gamma[3] = { colour->gamma, colour->gamma, colour->gamma };

    if (image->space == IMAGE_GRAY) {
        put_numbers(out, "[/CalGray<</WhitePoint", colour->white, 3);
        buf_printf(out, "/Gamma %.5f>>]", colour->gamma);
        return;
    }
    put_numbers(out, "[/CalRGB<</WhitePoint", colour->white, 3);
    put_numbers(out, "/Gamma", gamma, 3);
    put_numbers(out, "/Matrix", colour->matrix, 9);
    buf_puts(out, ">>]");
}

static int put_space(struct pdf_writer *writer, struct picture_shared *shared,
                     const struct image *image, struct buf *out, struct err *err)
{
    buf_puts(out, "/ColorSpace");
    if (image->space == IMAGE_INDEXED)
        buf_puts(out, "[/Indexed");
    if (image->colour.icc) {
        unsigned profile = write_profile(writer, shared, image, err);

        if (profile == 0)
            return -1;
        buf_printf(out, "[/ICCBased %u 0 R]", profile);
    } else if (image->colour.calibrated && image->space != IMAGE_CMYK) {
        put_calibrated(out, image);
    } else {
        buf_puts(out, device_of(image));
    }
    if (image->space == IMAGE_INDEXED) {
        buf_printf(out, " %u", image->n_palette - 1);
        literal_put_hex(out, image->palette, (size_t) 3 * image->n_palette);
        buf_putc(out, ']');
    }
    return 0;
}

static void put_coding(struct buf *out, const struct image *image)
{
    switch (image->coding) {
    case IMAGE_JPEG:
        buf_puts(out, "/Filter/DCTDecode");
        if (image->plain_rgb)
            buf_puts(out, "/DecodeParms<</ColorTransform 0>>");
        return;
    case IMAGE_FLATE:
        buf_puts(out, "/Filter/FlateDecode/DecodeParms<</Predictor 15");
        buf_printf(out, "/Columns %u", image->width);
        if (components_of(image) != 1)
            buf_printf(out, "/Colors %u", components_of(image));
        if (image->bits != 8)
            buf_printf(out, "/BitsPerComponent %u", image->bits);
        buf_puts(out, ">>");
        return;
    case IMAGE_CCITT:
        buf_printf(out, "/Filter/CCITTFaxDecode/DecodeParms<</K %d/Columns %u/Rows %u%s%s>>",
                   image->ccitt_k, image->width, image->height,
                   image->ccitt_black_is_1 ? "/BlackIs1 true" : "",
                   image->ccitt_aligned ? "/EncodedByteAlign true" : "");
        return;
    }
}

static void put_decode(struct buf *out, const struct image *image)
{
    if (!image->inverted)
        return;
    buf_puts(out, "/Decode[");
    for (unsigned i = 0; i < components_of(image); i++)
        buf_puts(out, i ? " 1 0" : "1 0");
    buf_putc(out, ']');
}

static unsigned write_mask(struct pdf_writer *writer, const struct image *image, struct err *err)
{
    unsigned number = pdf_writer_number(writer, err);
    char dict[320];

    if (number == 0)
        return 0;
    snprintf(dict, sizeof dict,
             "/Type/XObject/Subtype/Image/Width %u/Height %u/ColorSpace/DeviceGray"
             "/BitsPerComponent %u/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns %u"
             "/BitsPerComponent %u>>%s",
             image->width, image->height, image->mask_bits, image->width, image->mask_bits,
             !image->premultiplied        ? ""
             : image->space == IMAGE_GRAY ? "/Matte[0]"
             : image->space == IMAGE_CMYK ? "/Matte[0 0 0 0]"
                                          : "/Matte[0 0 0]");
    return pdf_writer_stream(writer, number, dict, image->mask.pieces, image->mask.n, err) < 0
               ? 0
               : number;
}

unsigned picture_write(struct pdf_writer *writer, struct picture_shared *shared,
                       const struct image *image, struct err *err)
{
    AUTO_BUF struct buf dict = BUF_EMPTY;
    unsigned number, mask;

    buf_printf(&dict, "/Type/XObject/Subtype/Image/Width %u/Height %u/BitsPerComponent %u",
               image->width, image->height, image->bits);
    if (put_space(writer, shared, image, &dict, err) < 0)
        return 0;
    put_coding(&dict, image);
    put_decode(&dict, image);
    if (image->mask.n) {
        mask = write_mask(writer, image, err);
        if (mask == 0)
            return 0;
        buf_printf(&dict, "/SMask %u 0 R", mask);
    }
    number = pdf_writer_number(writer, err);
    if (number == 0)
        return 0;
    if (dict.failed) {
        pdf_doc_no_memory(err);
        return 0;
    }
    return pdf_writer_stream(writer, number, dict.data, image->data.pieces, image->data.n, err) < 0
               ? 0
               : number;
}
