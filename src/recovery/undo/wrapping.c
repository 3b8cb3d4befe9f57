#include "recovery/undo/wrapping.h"

#include <stdint.h>
#include <string.h>

#include "base/num.h"
#include "base/octets.h"
#include "recovery/undo/code_pages.h"
#include "syntax/inflate/inflate.h"
#include "syntax/pdf/lex.h"

#define HEAD  1024  /* bytes in which a document begins (ISO 32000-1, annex H, 3.4.1) */
#define FRONT 65536 /* bytes in which one is looked for */
#define FEW   64    /* bytes, or codes: fewer prove nothing */
#define SLACK 1024  /* bytes in which readers look for the end (annex H, 3.4.4) */

static bool begins_pdf(const void *data, size_t n)
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

/* The longest run of lines that hold nothing but digits. */
static const unsigned char *longest_run(const unsigned char *data, size_t n, int (*digit)(int c),
                                        size_t *length)
{
    const unsigned char *best = data;
    size_t from = 0;

    *length = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && (digit(data[i]) >= 0 || lex_is_space(data[i])) && data[i] != 0)
            continue;
        if (i - from > *length) {
            best = data + from;
            *length = i - from;
        }
        from = i + 1;
    }
    /* Digits of a line that had other things in it before are words. */
    return best;
}

/* Decodes from where a document begins in the digits, or the longest run of digits if its
 * beginning is lost. Blanks between digits are skipped. */
static bool undo_digits(const unsigned char *data, size_t n, const char *head, int (*digit)(int c),
                        unsigned bits, struct buf *out)
{
    const unsigned char *at = n ? memmem(data, n, head, strlen(head)) : NULL, *end = data + n;
    unsigned held = 0, value = 0;
    bool standard = false; /* the two digits that are no letters are plus and solidus */
    size_t length;

    if (!at && n && !begins_pdf(data, n)) {
        at = longest_run(data, n, digit, &length);
        end = at + length;
        if (length < n / 2)
            return false;
    }
    for (; at && at < end; at++) {
        int d = digit(*at);

        /* A boundary of a mail (RFC 2046, 5.1.1), where hyphens are no digits. */
        if (standard && *at == '-')
            break;
        standard = standard || *at == '+' || *at == '/';
        if (d < 0 && !lex_is_space(*at))
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
    return out->len >= FEW && !out->failed;
}

bool wrapping_base64(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    (void) max; /* it becomes less */
    return undo_digits(data, n, "JVBERi0", base64_digit, 6, out);
}

bool wrapping_hex(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    (void) max;
    return undo_digits(data, n,
                       n && memmem(data, n, "255044462d", 10) ? "255044462d" : "255044462D",
                       hex_digit, 4, out);
}

/* A line of uuencode: its length as a character, and four characters for three bytes. */
static bool undo_uu_line(const unsigned char *at, size_t length, struct buf *out)
{
    size_t bytes = length ? (at[0] - 32U) & 63 : 0, groups = (bytes + 2) / 3;

    /* Blanks at its end may have been cut. */
    if (length == 0 || at[0] < 32 || at[0] > 96 || length > groups * 4 + 2)
        return false;
    for (size_t i = 0; i < bytes; i++) {
        size_t group = 1 + i / 3 * 4 + i % 3;
        unsigned a = group < length ? (at[group] - 32U) & 63 : 0;
        unsigned b = group + 1 < length ? (at[group + 1] - 32U) & 63 : 0;
        unsigned shift = (unsigned) (i % 3) * 2 + 2;

        buf_putc(out, (char) (a << shift | b >> (6 - shift)));
    }
    return true;
}

bool wrapping_uuencode(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    const unsigned char *begin = n ? memmem(data, n, "begin ", 6) : NULL, *end = data + n;
    const unsigned char *at = begin ? memchr(begin, '\n', (size_t) (end - begin)) : NULL;
    size_t lines = 0, odd = 0;

    (void) max;
    for (at = at ? at + 1 : data; at < end && odd <= 2 + lines / 50;) {
        const unsigned char *lf = memchr(at, '\n', (size_t) (end - at));
        size_t length = (size_t) ((lf ? lf : end) - at);

        if (length && at[length - 1] == '\r')
            length--;
        if (length == 3 && memcmp(at, "end", 3) == 0)
            break;
        if (undo_uu_line(at, length, out))
            lines++;
        else
            odd++;
        at = lf ? lf + 1 : end;
    }
    return lines >= 4 && odd <= 2 + lines / 50 && !out->failed;
}

bool wrapping_utf16(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    size_t zeros[2] = { 0 }, high;

    (void) max;
    for (size_t i = 0; i < n; i++)
        zeros[i % 2] += data[i] == 0;
    high = zeros[1] > zeros[0];
    /* Binary data of a document has few zeros, and as many at even places as at odd ones. */
    if (n < FEW || zeros[high] < n / 4 || zeros[!high] > n / 16)
        return false;
    for (size_t at = 0; at + 1 < n; at += 2) {
        unsigned point = (unsigned) data[at + high] << 8 | data[at + !high];
        int byte = code_pages_byte(point);

        if (point != 0xfeff)
            buf_putc(out, (char) (byte < 0 ? '?' : byte));
    }
    return !out->failed;
}

struct limited {
    struct buf *out;
    size_t max;
};

static bool put_piece(void *arg, const unsigned char *piece, size_t n)
{
    struct limited *l = arg;

    buf_put(l->out, piece, n);
    return l->out->len < l->max;
}

/* Decodes as far as the data is sound. */
static bool unpack(const unsigned char *data, size_t n, enum inflate_wrap wrap, size_t max,
                   struct buf *out)
{
    struct limited l = { out, max };

    if (n < FEW)
        return false;
    inflate_each(data, n, wrap, put_piece, &l);
    return out->len >= FEW && !out->failed;
}

bool wrapping_packed(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    size_t limit = n < FRONT ? n : FRONT;

    for (size_t at = 0; at + FEW < limit; at++) {
        bool line = at == 0 || (data[at - 1] == '\n' && at > 1 &&
                                (data[at - 2] == '\n' || data[at - 2] == '\r'));
        bool gzip = memcmp(data + at, "\x1f\x8b\x08", 3) == 0;

        /* zlib has no mark of its own but two bytes. */
        if (!line || (!gzip && ((data[at] & 0x8f) != 8 || octets_be16(data + at) % 31 != 0)))
            continue;
        if (unpack(data + at, n - at, INFLATE_ZLIB_OR_GZIP, max, out) &&
            (gzip || begins_pdf(out->data, out->len)))
            return true;
        buf_free(out);
    }
    return false;
}

/* APPNOTE.TXT of PKWARE, 4.3.7. */
bool wrapping_zip(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    const unsigned char *at = data, *end = data + n;

    while (n > 30 && at < end && (at = memmem(at, (size_t) (end - at), "PK\3\4", 4)) != NULL) {
        size_t left = (size_t) (end - at), head, size;

        if (left < 30)
            return false;
        head = 30 + octets_le16(at + 26) + octets_le16(at + 28);
        size = octets_le32(at + 18);
        if (head < left) {
            size_t rest = left - head;

            if (octets_le16(at + 8) == 8)
                unpack(at + head, rest, INFLATE_BARE, max, out);
            else
                buf_put(out, at + head, size && size < rest ? size : rest);
            if (begins_pdf(buf_text(out), out->len))
                return !out->failed;
            buf_free(out);
        }
        at += 4;
    }
    return false;
}

bool wrapping_front(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    const unsigned char *at = n ? memmem(data, n < FRONT ? n : FRONT, "%PDF-", 5) : NULL;

    (void) max;
    if (!at || at == data)
        return false;
    buf_put(out, at, (size_t) (data + n - at));
    return !out->failed;
}

bool wrapping_back(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    static const char mark[] = "%%EOF";
    size_t at = n > sizeof mark ? n - sizeof mark : 0;

    (void) max;
    while (at > 0 && memcmp(data + at, mark, sizeof mark - 1) != 0)
        at--;
    at += sizeof mark - 1;
    if (at < sizeof mark || n - at <= SLACK || memmem(data + at, n - at, " obj", 4) != NULL)
        return false;
    buf_put(out, data, at);
    buf_putc(out, '\n');
    return !out->failed;
}
