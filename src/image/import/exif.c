#include "image/import/exif.h"

#include <stdbool.h>
#include <string.h>

#include "base/octets.h"

#define ENTRY 12

enum { TAG_ORIENTATION = 0x112, TAG_X = 0x11a, TAG_Y = 0x11b, TAG_UNIT = 0x128 };
enum { TYPE_SHORT = 3, TYPE_RATIONAL = 5 };
enum { UNIT_INCH = 2, UNIT_CM = 3 };

struct view {
    const uint8_t *data;
    size_t n;
    bool big; /* high bytes come first */
};

static unsigned u16(const struct view *v, size_t at)
{
    return v->big ? octets_be16(v->data + at) : octets_le16(v->data + at);
}

static uint32_t u32(const struct view *v, size_t at)
{
    return v->big ? octets_be32(v->data + at) : octets_le32(v->data + at);
}

static double rational(const struct view *v, size_t entry)
{
    uint32_t at = u32(v, entry + 8);

    if (v->n < 8 || at > v->n - 8 || u32(v, at + 4) == 0)
        return 0;
    return (double) u32(v, at) / (double) u32(v, at + 4);
}

void exif_read(const uint8_t *data, size_t n, struct exif *exif)
{
    struct view v = { data, n, n >= 8 && memcmp(data, "MM\0*", 4) == 0 };
    unsigned unit = UNIT_INCH; /* the default of Exif 2.3, table 4 */
    size_t at, count;

    *exif = (struct exif){ 0 };
    if (n < 8 || (!v.big && memcmp(data, "II*\0", 4) != 0))
        return;
    at = u32(&v, 4);
    if (at > n - 2)
        return;
    count = u16(&v, at);
    at += 2;
    for (size_t i = 0; i < count && n - at >= ENTRY; i++, at += ENTRY) {
        unsigned tag = u16(&v, at), type = u16(&v, at + 2);

        if (tag == TAG_ORIENTATION && type == TYPE_SHORT && u16(&v, at + 8) <= 8)
            exif->orientation = (int) u16(&v, at + 8);
        else if (tag == TAG_UNIT && type == TYPE_SHORT)
            unit = u16(&v, at + 8);
        else if (tag == TAG_X && type == TYPE_RATIONAL)
            exif->dpi_x = rational(&v, at);
        else if (tag == TAG_Y && type == TYPE_RATIONAL)
            exif->dpi_y = rational(&v, at);
    }
    double scale = unit == UNIT_INCH ? 1 : unit == UNIT_CM ? 2.54 : 0;
    exif->dpi_x *= scale;
    exif->dpi_y *= scale;
}
