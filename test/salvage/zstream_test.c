/* tests of inflate_repair/zstream, text_mode, line_search and flip_search: damage done to streams,
 * and undone. */
#include "recovery/inflate_repair/zstream.h"

#include <stdlib.h>
#include <zlib.h>

#include "recovery/inflate_repair/flip_search.h"
#include "recovery/inflate_repair/line_search.h"
#include "recovery/undo/text_mode.h"
#include "tap.h"

#define MAX    (1U << 24)
#define EFFORT ((size_t) 1 << 30)

static struct buf plain, packed;

/* By zlib, as most programs that write PDF do: its blocks are shorter than by zstream_pack. */
static void pack(void)
{
    uLongf n = compressBound((uLong) plain.len);
    void *out = malloc(n);

    if (!out || compress2(out, &n, (const Bytef *) plain.data, (uLong) plain.len, 6) != Z_OK)
        abort();
    buf_put(&packed, out, n);
    free(out);
}

/* Content of a page, with nothing in it twice. */
static void make(void)
{
    static const char *const words[] = { "contract", "thesis", "invoice", "the", "of", "and",
                                         "signed",   "page",   "clause",  "in",  "to", "party" };
    unsigned seed = 7;

    buf_puts(&plain, "q BT\n/F1 10 Tf\n");
    for (int line = 0; line < 400; line++) {
        buf_printf(&plain, "1 0 0 1 %d.%d %d Tm\n(", 72 + line % 7, line % 10, 780 - line);
        for (int i = 0; i < 8; i++) {
            seed = seed * 1103515245U + 12345U;
            buf_printf(&plain, "%s ", words[(seed >> 16) % 12]);
        }
        buf_puts(&plain, ") Tj\n");
    }
    buf_puts(&plain, "ET Q\n");
    pack();
}

static const unsigned char *bytes(const struct buf *buf)
{
    return (const unsigned char *) buf->data;
}

static struct buf copy_of(const struct buf *buf)
{
    struct buf copy = BUF_EMPTY;

    buf_put(&copy, buf->data, buf->len);
    return copy;
}

/* How many lines of the content are in what was recovered, in percent. */
static size_t kept(const struct buf *out)
{
    size_t lines = 0, found = 0;
    const char *at = plain.data;

    while (at < plain.data + plain.len) {
        const char *end = strchr(at, '\n');

        lines++;
        found += out->len && memmem(out->data, out->len, at, (size_t) (end - at)) != NULL;
        at = end + 1;
    }
    return lines ? found * 100 / lines : 0;
}

static void sound_streams(void)
{
    struct buf out = BUF_EMPTY;
    size_t size;

    ok(zstream_sound(bytes(&packed), packed.len, MAX, &size) && size == plain.len,
       "a sound stream is recognised with its decoded size");
    ok(!zstream_sound(bytes(&packed), packed.len - 3, MAX, &size),
       "a stream that is cut short is not sound");
    ok(!zstream_unpack(bytes(&packed), packed.len, 100, &out),
       "a stream that decodes to more than the limit is not unpacked");
    buf_free(&out);
    is_int(zstream_recover(bytes(&packed), packed.len, MAX, NULL, &out).n, 0,
           "recovering a sound stream leaves no scar");
    ok(out.len == plain.len && memcmp(out.data, plain.data, out.len) == 0,
       "recovering a sound stream gives all of its data");
    buf_free(&out);
}

static void damaged_streams(void)
{
    struct buf bad = copy_of(&packed), out = BUF_EMPTY;

    for (size_t i = 0; i < 6; i++)
        bad.data[bad.len / 2 + i] = (char) (i * 77);
    zstream_recover(bytes(&bad), bad.len, MAX, NULL, &out);
    ok(kept(&out) > 50,
       "six wrong bytes in its middle leave more than what lies before them (%zu %%)", kept(&out));
    buf_free(&out);
    zstream_recover(bytes(&packed), packed.len / 2, MAX, NULL, &out);
    ok(kept(&out) >= 45, "half a stream gives half of it (%zu %%)", kept(&out));
    buf_free(&out);
    memset(bad.data, 0xff, bad.len);
    zstream_recover(bytes(&bad), bad.len, MAX, NULL, &out);
    ok(out.len < bad.len, "noise gives less data than its own length");
    buf_free(&out);
    buf_free(&bad);
}

/* The codes that small streams use without describing them (RFC 1951, 3.2.6). */
static void fixed_codes(void)
{
    struct buf out = BUF_EMPTY;
    unsigned char data[1 << 16];
    z_stream z = { .next_in = (unsigned char *) plain.data,
                   .avail_in = (unsigned) plain.len,
                   .next_out = data,
                   .avail_out = sizeof data };

    ok(deflateInit2(&z, 9, Z_DEFLATED, 15, 8, Z_FIXED) == Z_OK &&
           deflate(&z, Z_FINISH) == Z_STREAM_END,
       "zlib makes a stream of fixed codes");
    deflateEnd(&z);
    is_int(zstream_recover(data, z.total_out, MAX, NULL, &out).n, 0,
           "recovering a stream of fixed codes leaves no scar");
    ok(out.len == plain.len && memcmp(out.data, plain.data, out.len) == 0,
       "recovering a stream of fixed codes gives all of its data");
    buf_free(&out);
    data[z.total_out / 2] ^= 0x55;
    zstream_recover(data, z.total_out, MAX, NULL, &out);
    ok(kept(&out) > 40, "a wrong byte in its middle leaves much of it (%zu %%)", kept(&out));
    buf_free(&out);
}

/* How many bytes differ of what is decoded without `lost` bytes of the stream, after the first half
 * and the number of bytes that are missing are known. */
static size_t wrong(bool close, struct buf *doubts)
{
    struct buf out = BUF_EMPTY, bad = copy_of(&packed);
    struct zstream_gap gap = { .unsure_before = 400, .unsure_after = 400, .doubts = doubts };
    size_t n = 0, at = packed.len / 2, before;

    memmove(bad.data + at, bad.data + at + 3, bad.len - at - 3);
    bad.len -= 3;
    zstream_recover(bytes(&bad), at, MAX, NULL, &out);
    before = out.len;
    buf_free(&out);
    zstream_recover(bytes(&bad), bad.len, MAX, NULL, &out);
    gap.at = before;
    gap.lost = out.len < plain.len ? plain.len - out.len : 0;
    gap.added = out.len > plain.len ? out.len - plain.len : 0;
    if (close) {
        buf_free(&out);
        zstream_recover(bytes(&bad), bad.len, MAX, &gap, &out);
    }
    for (size_t i = 0; i < plain.len && i < out.len; i++)
        n += out.data[i] != plain.data[i] && !(close && doubts->data[i]);
    ok(!close || (out.len == plain.len && doubts->len == out.len),
       "with the gap closed the data and its doubts have the right length");
    buf_free(&out);
    buf_free(&bad);
    return n;
}

static void gaps(void)
{
    struct buf doubts = BUF_EMPTY;
    size_t open = wrong(false, NULL), closed = wrong(true, &doubts), unsure = 0;

    for (size_t i = 0; i < doubts.len; i++)
        unsure += doubts.data[i] != 0;
    ok(closed < open / 4,
       "bytes that are wrong and not in doubt: %zu of %zu when the gap is closed", closed, open);
    ok(unsure >= 300 && unsure < plain.len / 2,
       "what is repeated of its neighbours is in doubt (%zu)", unsure);
    buf_free(&doubts);
}

/* As a program that turns line ends into those of its system. */
static struct buf lines_as(const struct buf *in, const char *end)
{
    struct buf out = BUF_EMPTY;

    for (size_t i = 0; i < in->len; i++) {
        if (in->data[i] == '\r' && i + 1 < in->len && in->data[i + 1] == '\n')
            continue;
        if (in->data[i] == '\n')
            buf_puts(&out, end);
        else
            buf_putc(&out, in->data[i]);
    }
    return out;
}

static void text_mode(void)
{
    struct buf damaged = lines_as(&packed, "\r\n"), out = BUF_EMPTY;
    size_t effort = EFFORT;
    char length[30];
    size_t size;

    snprintf(length, sizeof length, "%zu", packed.len);
    ok(!zstream_sound(bytes(&damaged), damaged.len, MAX, &size), "CR LF for LF damages a stream");
    ok(text_mode_undo(bytes(&damaged), damaged.len, (struct text){ length, strlen(length) },
                      &effort, &out) &&
           out.len == packed.len && memcmp(out.data, packed.data, out.len) == 0,
       "CR LF for LF is undone");
    buf_free(&damaged);
    buf_free(&out);
}

static void carriage_returns(void)
{
    struct buf damaged = copy_of(&packed), out = BUF_EMPTY;
    size_t size, effort = EFFORT, none = 0;
    bool proved;

    for (size_t i = 0; i < damaged.len; i++)
        if (damaged.data[i] == '\r')
            damaged.data[i] = '\n';
    ok(!zstream_sound(bytes(&damaged), damaged.len, MAX, &size), "LF for CR damages a stream");
    ok(!line_search(bytes(&damaged), damaged.len, MAX, &none, &out, &proved) && !out.len,
       "without effort no CRs are searched");
    ok(line_search(bytes(&damaged), damaged.len, MAX, &effort, &out, &proved),
       "the bytes that were CRs are found");
    ok(proved && out.len == plain.len && memcmp(out.data, plain.data, out.len) == 0,
       "the stream with its CRs has the right checksum");
    buf_free(&damaged);
    buf_free(&out);
}

/* The packed content with these bits changed. Whether the search finds them. */
static bool found(const size_t *bits, size_t n, size_t allowed)
{
    struct buf damaged = copy_of(&packed), out = BUF_EMPTY;
    size_t effort = allowed, size;
    bool same;

    for (size_t i = 0; i < n; i++)
        damaged.data[bits[i] / 8] ^= (char) (1 << bits[i] % 8);
    if (zstream_sound(bytes(&damaged), damaged.len, MAX, &size))
        printf("# that is no damage\n");
    same = flip_search(bytes(&damaged), damaged.len, MAX, &effort, &out) && out.len == packed.len &&
           memcmp(out.data, packed.data, out.len) == 0;
    ok(effort <= allowed, "the search does not use more effort than there was");
    buf_free(&damaged);
    buf_free(&out);
    return same;
}

static void flips(void)
{
    size_t end = packed.len * 8;
    size_t many[12];

    ok(found((size_t[]){ end / 2 }, 1, EFFORT), "a flipped bit in the middle is found");
    ok(found((size_t[]){ 200 }, 1, EFFORT), "a flipped bit in the codes at the beginning is found");
    ok(found((size_t[]){ end - 5 }, 1, EFFORT), "a flipped bit in the checksum is found");
    ok(found((size_t[]){ 200, end / 2 }, 2, EFFORT),
       "two flipped bits are found if the damage of the first shows before the second");
    ok(!found((size_t[]){ end / 2 }, 1, 5000), "a flipped bit is not found without effort");
    for (size_t i = 0; i < 12; i++)
        many[i] = end / 13 * (i + 1);
    ok(!found(many, 12, EFFORT), "twelve flipped bits are not found");
    ok(!flip_search(bytes(&packed), packed.len / 2, MAX, &(size_t){ EFFORT }, &plain),
       "a stream that is cut short is not repaired by flips");
}

int main(void)
{
    make();
    flips();
    sound_streams();
    damaged_streams();
    fixed_codes();
    gaps();
    text_mode();
    carriage_returns();
    buf_free(&plain);
    buf_free(&packed);
    return done_testing();
}
