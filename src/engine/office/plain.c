/* plain: reading, and text documents. Sheets: csv.c. */
#include "engine/office/plain.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fdio.h"
#include "base/octets.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "engine/office/flat.h"

#define PLAIN_BYTES (100U << 20)

/* Windows-1252, 0x80 to 0x9f; 0 where it has nothing. */
static const uint16_t windows_1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

static void from_utf16(const struct buf *in, bool big, struct buf *out)
{
    const unsigned char *p = (const unsigned char *) in->data;
    uint32_t high = 0;

    for (size_t i = 2; i + 1 < in->len; i += 2) {
        uint32_t c = big ? octets_be16(p + i) : octets_le16(p + i);

        if (c >= 0xd800 && c < 0xdc00) {
            high = c;
            continue;
        }
        if (c >= 0xdc00 && c < 0xe000) {
            if (high)
                utf8_put(0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00), out);
        } else {
            utf8_put(c, out);
        }
        high = 0;
    }
}

static void from_windows(const struct buf *in, struct buf *out)
{
    for (size_t i = 0; i < in->len; i++) {
        unsigned char c = (unsigned char) in->data[i];

        utf8_put(c >= 0x80 && c < 0xa0 ? windows_1252[c - 0x80] : c, out);
    }
}

/* Leaves out control characters, which XML has no place for (XML 1.0, 2.2), U+FFFE and U+FFFF. */
static void clean(struct buf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++) {
        unsigned char c = (unsigned char) text->data[i];

        if (c == 0xef && i + 2 < text->len && (unsigned char) text->data[i + 1] == 0xbf &&
            (unsigned char) text->data[i + 2] >= 0xbe) {
            i += 2;
            continue;
        }
        if (c >= ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f')
            text->data[n++] = (char) c;
    }
    text->len = n;
}

int plain_read(int fd, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf raw = BUF_EMPTY;

    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_sys(err, "document");
    if (fdio_read_all(fd, PLAIN_BYTES, &raw, err) < 0)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a text may have at most %u MB",
                       PLAIN_BYTES / 1000000);
    if (raw.len >= 2 && memcmp(raw.data, "\xff\xfe", 2) == 0)
        from_utf16(&raw, false, out);
    else if (raw.len >= 2 && memcmp(raw.data, "\xfe\xff", 2) == 0)
        from_utf16(&raw, true, out);
    else if (utf8_is_valid(buf_text(&raw), raw.len))
        buf_put(out, raw.data, raw.len);
    else
        from_windows(&raw, out);
    if (out->len >= 3 && memcmp(out->data, "\xef\xbb\xbf", 3) == 0)
        buf_drop(out, 3);
    clean(out);
    return out->failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the text needs too much memory") : 0;
}

int plain_write_text(const struct buf *text, const char *path, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "we");
    const char *at = buf_text(text), *end = at + text->len;
    bool new_page = false;

    if (!file)
        return err_sys(err, "write the text");
    flat_begin_text(file);
    while (at < end) {
        const char *stop = at;

        while (stop < end && *stop != '\n' && *stop != '\r' && *stop != '\f')
            stop++;
        flat_paragraph(file, at, (size_t) (stop - at), new_page);
        new_page = stop < end && *stop == '\f';
        at = stop + 1 < end && *stop == '\r' && stop[1] == '\n' ? stop + 2 : stop + 1;
    }
    flat_end_text(file);
    return ferror(file) || fflush(file) ? err_sys(err, "write the text") : 0;
}
