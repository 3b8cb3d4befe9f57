/* tests of salvage/wrapping: documents inside of what they were sent or stored in. */
#include "salvage/wrapping.h"

#include <zlib.h>

#include "base/base64.h"
#include "base/scope.h"
#include "tap.h"

#define MAX (1U << 20)

static struct buf plain; /* begins like a document, and has every byte in it */

static void make(void)
{
    buf_puts(&plain, "%PDF-1.7\n");
    for (int i = 0; i < 1024; i++)
        buf_putc(&plain, (char) (i * 7));
}

static bool undone_n(const struct buf *wrapped, size_t max)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    return wrapping_undo((const unsigned char *) buf_text(wrapped), wrapped->len, max, &out) &&
           out.len == plain.len && memcmp(out.data, plain.data, out.len) == 0;
}

static bool undone(const struct buf *wrapped)
{
    return undone_n(wrapped, MAX);
}

static void letters(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY, mail = BUF_EMPTY, url = BUF_EMPTY;

    base64_put(plain.data, plain.len, &text);
    ok(undone(&text), "base64 is undone");
    buf_puts(&mail, "Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n");
    for (size_t i = 0; i < text.len; i += 76)
        buf_printf(&mail, "%.76s\r\n", buf_text(&text) + i);
    buf_puts(&mail, "\r\n--part--\r\n");
    ok(undone(&mail), "in the lines of a mail too");
    for (size_t i = 0; i < text.len; i++)
        buf_putc(&url, (char) (text.data[i] == '+'   ? '-'
                               : text.data[i] == '/' ? '_'
                                                     : text.data[i]));
    ok(undone(&url), "and in the letters of URLs");
    ok(!undone_n(&text, 100), "but not beyond what it may become");
    text.len = 40;
    ok(!undone(&text), "a few letters are no document");
}

static void digits(bool upper)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    for (size_t i = 0; i < plain.len; i++)
        buf_printf(&text, upper ? "%02X%s" : "%02x%s", (unsigned char) plain.data[i],
                   i % 16 == 15 ? "\n" : "");
    ok(undone(&text), "hexadecimal digits are undone");
}

/* Latin-1, or Windows-1252 with its dash for 0x96. */
static void wide(bool little)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_put(&text, little ? "\xff\xfe" : "\xfe\xff", 2);
    for (size_t i = 0; i < plain.len; i++) {
        unsigned point =
            (unsigned char) plain.data[i] == 0x96 ? 0x2013 : (unsigned char) plain.data[i];

        buf_putc(&text, (char) (little ? point : point >> 8));
        buf_putc(&text, (char) (little ? point >> 8 : point));
    }
    ok(undone(&text), "UTF-16 is undone");
}

static void quoted(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    for (size_t i = 0; i < plain.len; i++) {
        unsigned char c = (unsigned char) plain.data[i];

        if (i < 9 || (c > 32 && c < 127 && c != '='))
            buf_putc(&text, (char) c);
        else
            buf_printf(&text, "=%02X%s", c, i % 20 ? "" : i % 40 ? "=\r\n" : "=\n");
    }
    ok(undone(&text), "quoted-printable is undone");
    buf_putc(&text, (char) 200);
    ok(!undone(&text), "what has a byte beside its codes is not that");
}

static void packed(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    unsigned char room[4096];
    z_stream z = { .next_in = (Bytef *) plain.data,
                   .avail_in = (uInt) plain.len,
                   .next_out = room,
                   .avail_out = sizeof room };

    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    buf_put(&text, room, sizeof room - z.avail_out);
    deflateEnd(&z);
    ok(undone(&text), "gzip is undone");
    text.data[2] = 7;
    ok(!undone(&text), "another way of packing is not");
}

int main(void)
{
    AUTO_BUF struct buf none = BUF_EMPTY;

    make();
    letters();
    digits(true);
    digits(false);
    wide(true);
    wide(false);
    quoted();
    packed();
    ok(!undone(&plain) && !undone(&none), "a document by itself is in nothing, nor is nothing");
    buf_free(&plain);
    return done_testing();
}
