#include "salvage/wrapping.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/num.h"
#include "base/ps.h"
#include "salvage/text_mode.h"

#define HEAD   1024 /* bytes in which a document begins (ISO 32000-1, annex H, 3.4.1) */
#define FEW    64   /* bytes, or codes: fewer prove nothing */
#define ESCAPE '='

static bool begins(const unsigned char *data, size_t n)
{
    return n && memmem(data, n < HEAD ? n : HEAD, "%PDF-", 5) != NULL;
}

static int base64_digit(int c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const char *at = c ? strchr(digits, c) : NULL;

    if (at)
        return (int) (at - digits);
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static int hex_digit(int c)
{
    return num_hex_digit((char) c);
}

/* From where a document begins in it, up to what is no digit. Blanks between digits are none. */
static bool undo_digits(const unsigned char *data, size_t n, const char *head, int (*digit)(int c),
                        unsigned bits, struct buf *out)
{
    const unsigned char *at = n ? memmem(data, n, head, strlen(head)) : NULL, *end = data + n;
    unsigned held = 0, value = 0;

    for (; at && at < end; at++) {
        int d = digit(*at);

        if (d < 0 && !ps_is_space(*at))
            break;
        if (d < 0)
            continue;
        value = value << bits | (unsigned) d;
        held += bits;
        if (held >= 8) {
            held -= 8;
            buf_putc(out, (char) (value >> held));
            value &= (1U << held) - 1;
        }
    }
    return out->len >= FEW;
}

static bool undo_utf16(const unsigned char *data, size_t n, struct buf *out)
{
    static const char wide[] = "%\0P\0D\0F\0-";
    const unsigned char *at = n ? memmem(data, n < HEAD ? n : HEAD, wide, sizeof wide - 1) : NULL;
    int high = at ? 1 - (int) ((at - data) % 2) : 0; /* which byte of two: they begin in pairs */

    if (at && high == 0)
        at--;
    for (; at && at + 1 < data + n; at += 2) {
        int byte = text_mode_byte((unsigned) at[high] << 8 | at[1 - high]);

        buf_putc(out, (char) (byte < 0 ? ' ' : byte));
    }
    return out->len >= FEW;
}

static bool undo_gzip(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    unsigned char chunk[16384];
    z_stream z = { .next_in = (Bytef *) (uintptr_t) data, .avail_in = (uInt) n };
    int got = Z_OK;

    if (n < FEW || n > UINT32_MAX || memcmp(data, "\x1f\x8b\x08", 3) != 0 ||
        inflateInit2(&z, 15 + 16) != Z_OK)
        return false;
    while (got == Z_OK && out->len < max) {
        z.next_out = chunk;
        z.avail_out = sizeof chunk;
        got = inflate(&z, Z_NO_FLUSH);
        buf_put(out, chunk, sizeof chunk - z.avail_out);
        if (out->len && !begins((const unsigned char *) out->data, out->len))
            break;
    }
    inflateEnd(&z);
    return begins((const unsigned char *) buf_text(out), out->len);
}

/* How many bytes the code behind an escape takes, 0: it is none. */
static size_t code_length(const unsigned char *at, const unsigned char *end)
{
    if (end - at > 1 && at[1] == '\n')
        return 2;
    if (end - at > 2 && at[1] == '\r' && at[2] == '\n')
        return 3;
    return end - at > 2 && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0 ? 3 : 0;
}

/* No byte is above 126, and nearly every escape begins a code. */
static bool is_quoted(const unsigned char *data, size_t n)
{
    size_t codes = 0, odd = 0;

    for (const unsigned char *at = data; at < data + n; at++) {
        if (*at > 126)
            return false;
        if (*at == ESCAPE && code_length(at, data + n) > 0)
            codes++;
        else if (*at == ESCAPE)
            odd++;
    }
    return codes >= FEW && odd <= codes / 50;
}

static bool undo_quoted(const unsigned char *data, size_t n, struct buf *out)
{
    const unsigned char *at = data, *end = data + n;

    if (n == 0 || !is_quoted(data, n))
        return false;
    while (at < end) {
        size_t length = *at == ESCAPE ? code_length(at, end) : 0;

        if (length == 0)
            buf_putc(out, (char) *at);
        else if (hex_digit(at[1]) >= 0)
            buf_putc(out, (char) (hex_digit(at[1]) << 4 | hex_digit(at[2])));
        at += length ? length : 1;
    }
    return true;
}

bool wrapping_undo(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    struct buf found = BUF_EMPTY;
    bool undone;

    if (begins(data, n))
        undone = undo_quoted(data, n, &found);
    else
        undone = undo_gzip(data, n, max, &found) || undo_utf16(data, n, &found) ||
                 undo_digits(data, n, "JVBERi0", base64_digit, 6, &found) ||
                 undo_digits(data, n, "255044462D", hex_digit, 4, &found) ||
                 undo_digits(data, n, "255044462d", hex_digit, 4, &found);
    undone = undone && !found.failed && found.len <= max;
    if (undone)
        buf_put(out, found.data, found.len);
    buf_free(&found);
    return undone && !out->failed;
}
