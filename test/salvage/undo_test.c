/* tests of undo/undo: what was done to a whole document, undone. */
#include "recovery/undo/undo.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/base64.h"
#include "base/scope.h"
#include "pdf_builder.h"
#include "recovery/undo/code_pages.h"
#include "recovery/undo/evidence.h"
#include "tap.h"

#define MAX     (4U << 20)
#define STREAMS 12

static struct buf plain; /* a document with streams of zlib, lengths and a table of objects */

static const unsigned char *bytes(const struct buf *buf)
{
    return (const unsigned char *) buf_text(buf);
}

static void put_stream(struct pdf_builder *pdf, int number)
{
    unsigned char text[6000], packed[8000];
    uLongf n = sizeof packed;
    unsigned seed = (unsigned) number;

    for (size_t i = 0; i < sizeof text; i++) {
        seed = seed * 1103515245U + 12345U;
        text[i] = (unsigned char) ('a' + (seed >> 16) % 24);
    }
    compress2(packed, &n, text, sizeof text, 6);
    pdf_put_stream(pdf, number, packed, n, "/Filter/FlateDecode");
}

static void make(void)
{
    struct pdf_builder pdf;

    pdf_header(&pdf, "1.7");
    for (int i = 1; i <= STREAMS; i++)
        put_stream(&pdf, i);
    pdf_end(&pdf, 0);
    plain = pdf.out;
}

static bool is_plain(const struct buf *out)
{
    return out->len == plain.len && memcmp(out->data, plain.data, out->len) == 0;
}

/* Frees what was damaged. */
static bool undone_n(struct buf *damaged, size_t max)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct undo_report report;
    bool same = undo_file(bytes(damaged), damaged->len, max, &out, &report) && is_plain(&out);

    buf_free(damaged);
    return same;
}

static bool undone(struct buf *damaged)
{
    return undone_n(damaged, MAX);
}

/* ---- Damage: each appends to `to` what becomes of `from` */

static void latin_to_utf8(const struct buf *from, struct buf *to)
{
    for (size_t i = 0; i < from->len; i++) {
        unsigned char c = bytes(from)[i];

        if (c >= 0x80)
            buf_putc(to, (char) (0xc0 | c >> 6));
        buf_putc(to, (char) (c < 0x80 ? c : 0x80 | (c & 0x3f)));
    }
}

/* Cyrillic letters for the bytes that KOI8-R and others have for them. */
static void cyrillic_to_utf8(const struct buf *from, struct buf *to)
{
    for (size_t i = 0; i < from->len; i++) {
        unsigned char c = bytes(from)[i];
        unsigned point = c < 0xa1 || c == 0xad || c == 0xf0 || c == 0xfd ? c : 0x400U + (c - 0xa0U);

        point = c == 0xf0 ? 0x2116 : c == 0xfd ? 0xa7 : point; /* ISO 8859-5 */
        if (point >= 0x800) {
            buf_putc(to, (char) (0xe0 | point >> 12));
            buf_putc(to, (char) (0x80 | (point >> 6 & 0x3f)));
        } else if (point >= 0x80) {
            buf_putc(to, (char) (0xc0 | point >> 6));
        }
        buf_putc(to, (char) (point < 0x80 ? point : 0x80 | (point & 0x3f)));
    }
}

static void lines(const struct buf *from, const char *end, struct buf *to)
{
    for (size_t i = 0; i < from->len; i++)
        if (from->data[i] == '\n')
            buf_puts(to, end);
        else
            buf_putc(to, from->data[i]);
}

static void chunk(const struct buf *from, struct buf *to)
{
    for (size_t at = 0; at < from->len; at += 1000) {
        size_t n = from->len - at < 1000 ? from->len - at : 1000;

        buf_printf(to, "%zx\r\n", n);
        buf_put(to, from->data + at, n);
        buf_puts(to, "\r\n");
    }
    buf_puts(to, "0\r\n\r\n");
}

static void base64(const struct buf *from, struct buf *to)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    base64_put(from->data, from->len, &text);
    buf_puts(to, "Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n");
    for (size_t i = 0; i < text.len; i += 76)
        buf_printf(to, "%.76s\r\n", buf_text(&text) + i);
    buf_puts(to, "\r\n--part--\r\n");
}

static void escape(const struct buf *from, const char *format, struct buf *to)
{
    for (size_t i = 0; i < from->len; i++) {
        unsigned char c = bytes(from)[i];

        if (c > 32 && c < 127 && c != (unsigned char) format[0] && c != '"' && c != '+')
            buf_putc(to, (char) c);
        else
            buf_printf(to, format, c); // NOLINT(clang-diagnostic-format-nonliteral)
    }
}

static void gzip(const struct buf *from, struct buf *to)
{
    size_t room = from->len + 4096;
    AUTO_FREE unsigned char *packed = malloc(room);
    z_stream z = { .next_in = (Bytef *) from->data,
                   .avail_in = (uInt) from->len,
                   .next_out = packed,
                   .avail_out = (uInt) room };

    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    buf_put(to, packed, room - z.avail_out);
    deflateEnd(&z);
}

static void uuencode(const struct buf *from, struct buf *to)
{
    buf_puts(to, "begin 644 a.pdf\n");
    for (size_t at = 0; at < from->len; at += 45) {
        size_t n = from->len - at < 45 ? from->len - at : 45;

        buf_putc(to, (char) (32 + n));
        for (size_t i = 0; i < n; i += 3) {
            unsigned value = 0;

            for (size_t k = 0; k < 3; k++)
                value = value << 8 | (i + k < n ? bytes(from)[at + i + k] : 0U);
            for (int shift = 18; shift >= 0; shift -= 6)
                buf_putc(to, (char) ((value >> shift & 63) ? 32 + (value >> shift & 63) : '`'));
        }
        buf_putc(to, '\n');
    }
    buf_puts(to, "`\nend\n");
}

static void wide(const struct buf *from, bool little, struct buf *to)
{
    buf_put(to, little ? "\xff\xfe" : "\xfe\xff", 2);
    for (size_t i = 0; i < from->len; i++) {
        unsigned c = bytes(from)[i], point = c == 0x96 ? 0x2013 : c; /* a dash of Windows-1252 */

        buf_putc(to, (char) (little ? point : point >> 8));
        buf_putc(to, (char) (little ? point >> 8 : point));
    }
}

static void hex(const struct buf *from, struct buf *to)
{
    for (size_t i = 0; i < from->len; i++)
        buf_printf(to, "%02x%s", bytes(from)[i], i % 30 == 29 ? "\n" : "");
}

/* ---- The tests */

static void wrapped(void)
{
    struct buf damaged = BUF_EMPTY;

    base64(&plain, &damaged);
    ok(undone(&damaged), "a mail in base64 is undone");
    base64(&plain, &damaged);
    ok(!undone_n(&damaged, 1000), "base64 is not undone if the result is larger than the limit");
    hex(&plain, &damaged);
    ok(undone(&damaged), "hexadecimal digits are undone");
    uuencode(&plain, &damaged);
    ok(undone(&damaged), "uuencode is undone");
    wide(&plain, true, &damaged);
    ok(undone(&damaged), "UTF-16 is undone");
    wide(&plain, false, &damaged);
    ok(undone(&damaged), "UTF-16 with the high byte first is undone");
    gzip(&plain, &damaged);
    ok(undone(&damaged), "gzip is undone");
    escape(&plain, "%%%02X", &damaged);
    ok(undone(&damaged), "percent-encoding is undone");
    escape(&plain, "=%02X", &damaged);
    ok(undone(&damaged), "quoted-printable is undone");
    buf_puts(&damaged, "{\"data\":\"");
    escape(&plain, "\\u%04x", &damaged);
    buf_puts(&damaged, "\"}");
    ok(undone(&damaged), "a string of JSON is undone");
    chunk(&plain, &damaged);
    ok(undone(&damaged), "chunked transfer coding is undone");
}

static void changed(void)
{
    static const char *const ends[] = { "\r\n", "\r\r\n", "\n\r" };
    struct buf damaged = BUF_EMPTY, twice = BUF_EMPTY;

    latin_to_utf8(&plain, &damaged);
    ok(undone(&damaged), "bytes that became UTF-8 become bytes again");
    latin_to_utf8(&plain, &damaged);
    latin_to_utf8(&damaged, &twice);
    buf_free(&damaged);
    ok(undone(&twice), "bytes that became UTF-8 twice become bytes again");
    cyrillic_to_utf8(&plain, &damaged);
    ok(undone(&damaged), "bytes that became UTF-8 from a Cyrillic code page become bytes again");
    for (size_t i = 0; i < COUNT(ends); i++) {
        lines(&plain, ends[i], &damaged);
        ok(undone(&damaged), "line ends of the kind %zu become line feeds", i);
    }
    for (size_t i = 0; i < plain.len; i++) {
        buf_putc(&damaged, plain.data[i]);
        if (bytes(&plain)[i] == 0xff)
            buf_putc(&damaged, plain.data[i]);
    }
    ok(undone(&damaged), "bytes that were doubled are taken out");
    for (size_t i = 0, line = 0; i < plain.len; i++) {
        if (line == 200)
            buf_puts(&damaged, "\r\n");
        line = plain.data[i] == '\n' ? 0 : line == 200 ? 1 : line + 1;
        buf_putc(&damaged, plain.data[i]);
    }
    ok(undone(&damaged), "lines that were broken are joined");
}

static void several(void)
{
    struct buf a = BUF_EMPTY, b = BUF_EMPTY, c = BUF_EMPTY;

    lines(&plain, "\r\n", &a);
    latin_to_utf8(&a, &b);
    base64(&b, &c);
    ok(undone(&c), "three changes are undone one after the other");
    buf_free(&a);
    buf_free(&b);
    chunk(&plain, &a);
    buf_puts(&b, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    buf_put(&b, a.data, a.len);
    ok(undone(&b), "the head of an HTTP response and its chunked transfer coding are undone");
    buf_free(&a);
    latin_to_utf8(&plain, &a);
    a.data[a.len / 2] ^= 1;
    gzip(&a, &b);
    {
        AUTO_BUF struct buf out = BUF_EMPTY;
        struct undo_report report;
        struct evidence evidence = { 0 };

        if (undo_file(bytes(&b), b.len, MAX, &out, &report))
            evidence_find(bytes(&out), out.len, &evidence);
        ok(evidence.sound >= STREAMS - 1,
           "a change is undone although the document is also damaged");
    }
    buf_free(&a);
    buf_free(&b);
}

static void not_undone(void)
{
    AUTO_BUF struct buf out = BUF_EMPTY, noise = BUF_EMPTY;
    struct undo_report report;
    unsigned seed = 5;

    ok(!undo_file(bytes(&plain), plain.len, MAX, &out, &report) &&
           !undo_file(NULL, 0, MAX, &out, &report),
       "nothing is undone of a sound document or an empty file");
    plain.data[plain.len / 2] ^= 4;
    ok(!undo_file(bytes(&plain), plain.len, MAX, &out, &report),
       "nothing is undone of a document with other damage");
    plain.data[plain.len / 2] ^= 4;
    for (size_t i = 0; i < 30000; i++) {
        seed = seed * 1103515245U + 12345U;
        buf_putc(&noise, (char) (seed >> 16));
    }
    ok(!undo_file(bytes(&noise), noise.len, MAX, &out, &report) && out.len == 0,
       "nothing is undone of noise");
}

static void pieces(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY, out = BUF_EMPTY;

    for (int i = 0; i < 100; i++)
        buf_puts(&text, "ab\xef\xbf\xbd"
                        "c\xc3\xa9");
    ok(code_pages_shorten(bytes(&text), text.len, &out) && out.len == 600 &&
           memcmp(out.data, "ab?c\xc3\xa9", 6) == 0,
       "U+FFFD becomes one byte again, and other characters stay");
}

int main(void)
{
    make();
    wrapped();
    changed();
    several();
    not_undone();
    pieces();
    buf_free(&plain);
    return done_testing();
}
