#include "pdf/pdfa/pdfa_profile.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"

#define HEADER  128
#define SAMPLES 1024 /* of the curve */

static void put_zeros(struct buf *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_putc(out, '\0');
}

static void put_type(struct buf *out, const char *type)
{
    buf_puts(out, type);
    buf_put_be32(out, 0);
}

/* textDescriptionType */
static void put_description(struct buf *out)
{
    static const char words[] = "sRGB IEC61966-2.1";

    put_type(out, "desc");
    buf_put_be32(out, sizeof words);
    buf_put(out, words, sizeof words);
    put_zeros(out, 4 + 4 + 2 + 1 + 67); /* no names in Unicode and for a Macintosh */
}

static void put_copyright(struct buf *out)
{
    static const char words[] = "No copyright, use freely";

    put_type(out, "text");
    buf_put(out, words, sizeof words);
}

static void put_xyz(struct buf *out, size_t x, size_t y, size_t z)
{
    put_type(out, "XYZ ");
    buf_put_be32(out, x);
    buf_put_be32(out, y);
    buf_put_be32(out, z);
}

/* Numbers are in 65536ths; colours are relative to the white of D50. */
static void put_white(struct buf *out)
{
    put_xyz(out, 0xf6d6, 0x10000, 0xd32d);
}

static void put_red(struct buf *out)
{
    put_xyz(out, 0x6fa2, 0x38f5, 0x0390);
}

static void put_green(struct buf *out)
{
    put_xyz(out, 0x6299, 0xb785, 0x18da);
}

static void put_blue(struct buf *out)
{
    put_xyz(out, 0x24a0, 0x0f84, 0xb6cf);
}

static void put_curve(struct buf *out)
{
    put_type(out, "curv");
    buf_put_be32(out, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        double x = i / (SAMPLES - 1.0);
        double y = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);

        buf_put_be16(out, (size_t) lround(y * 65535));
    }
}

static const struct {
    const char *tag;
    void (*put)(struct buf *out);
} tags[] = {
    { "desc", put_description }, { "cprt", put_copyright }, { "wtpt", put_white },
    { "rXYZ", put_red },         { "gXYZ", put_green },     { "bXYZ", put_blue },
    { "rTRC", put_curve },       { "gTRC", put_curve },     { "bTRC", put_curve },
};

static void put_header(struct buf *out, size_t size)
{
    buf_put_be32(out, size);
    buf_put_be32(out, 0);          /* no preferred module */
    buf_put_be32(out, 0x02100000); /* version 2.1 */
    buf_puts(out, "mntrRGB XYZ ");
    buf_put_be16(out, 2026);
    buf_put_be16(out, 1);
    buf_put_be16(out, 1);
    put_zeros(out, 6);
    buf_puts(out, "acsp");
    put_zeros(out, 28); /* of any platform, maker and model; perceptual */
    buf_put_be32(out, 0xf6d6);
    buf_put_be32(out, 0x10000);
    buf_put_be32(out, 0xd32d);
    put_zeros(out, 48);
}

void pdfa_profile_put(struct buf *out)
{
    AUTO_BUF struct buf data = BUF_EMPTY, table = BUF_EMPTY;
    size_t first = HEADER + 4 + 12 * COUNT(tags), curve = 0, curve_n = 0;

    for (size_t i = 0; i < COUNT(tags); i++) {
        bool again = tags[i].put == put_curve && curve;
        size_t at = again ? curve : first + data.len, n = curve_n;

        if (!again) {
            tags[i].put(&data);
            n = first + data.len - at;
            put_zeros(&data, (4 - data.len % 4) % 4);
        }
        if (tags[i].put == put_curve) { /* the three are one */
            curve = at;
            curve_n = n;
        }
        buf_puts(&table, tags[i].tag);
        buf_put_be32(&table, at);
        buf_put_be32(&table, n);
    }
    put_header(out, first + data.len);
    buf_put_be32(out, COUNT(tags));
    buf_put(out, table.data, table.len);
    buf_put(out, data.data, data.len);
    out->failed |= data.failed || table.failed;
}
