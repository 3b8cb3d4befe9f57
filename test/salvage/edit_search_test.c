/* tests of inflate_repair/edit_search: streams in which bytes were added, dropped or changed. */
#include "recovery/inflate_repair/edit_search.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/scope.h"
#include "tap.h"

#define MAX    (1U << 20)
#define EFFORT ((size_t) 1 << 33)

static struct buf plain, packed; /* a content stream, and what zlib makes of it */

static void make(void)
{
    static const char *const words[] = { "agreement", "notice", "party",  "written", "within",
                                         "days",      "paid",   "amount", "interest" };
    unsigned char room[60000];
    uLongf n = sizeof room;
    unsigned seed = 7;

    buf_puts(&plain, "BT /F1 10 Tf\n");
    for (int line = 0; line < 200; line++) {
        buf_printf(&plain, "1 0 0 1 56.%d %d Tm\n(", line, 780 - line);
        for (int i = 0; i < 8; i++) {
            seed = seed * 1103515245U + 12345U;
            buf_printf(&plain, "%s%u ", words[(seed >> 16) % COUNT(words)], seed >> 20 & 255);
        }
        buf_puts(&plain, ") Tj\n");
    }
    buf_puts(&plain, "ET\n");
    compress2(room, &n, (const unsigned char *) plain.data, plain.len, 6);
    buf_put(&packed, room, n);
}

/* Of the lines of the content, how many are in what comes out, in percent. Frees what was damaged.
 */
static size_t share(struct buf *damaged, struct edits edits)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t effort = EFFORT, lines = 0, found = 0;
    bool proved;

    edit_search((const unsigned char *) damaged->data, damaged->len, &edits, MAX, &effort, &out,
                &proved);
    for (const char *at = plain.data, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        lines++;
        found += out.len > 0 && memmem(out.data, out.len, at, (size_t) (end - at)) != NULL;
    }
    buf_free(damaged);
    return found * 100 / lines;
}

/* Frees what was damaged. */
static bool mended(struct buf *damaged, struct edits edits, size_t allowed)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t effort = allowed;
    bool proved;
    bool same = edit_search((const unsigned char *) damaged->data, damaged->len, &edits, MAX,
                            &effort, &out, &proved) &&
                proved && out.len == plain.len && memcmp(out.data, plain.data, out.len) == 0;

    buf_free(damaged);
    return same;
}

/* The packed stream with the bytes from `at` on that many fewer, and others in their place. */
static struct buf with(size_t at, size_t fewer, const char *others, size_t n)
{
    struct buf damaged = BUF_EMPTY;

    buf_put(&damaged, packed.data, at);
    buf_put(&damaged, others, n);
    buf_put(&damaged, packed.data + at + fewer, packed.len - at - fewer);
    return damaged;
}

static struct buf without(char byte)
{
    struct buf damaged = BUF_EMPTY;

    for (size_t i = 0; i < packed.len; i++)
        if (i < 2 || packed.data[i] != byte)
            buf_putc(&damaged, packed.data[i]);
    return damaged;
}

static void single(void)
{
    const size_t places[] = { packed.len / 9, packed.len / 2, packed.len - 300 };

    for (size_t i = 0; i < COUNT(places); i++) {
        size_t at = places[i];
        struct buf damaged = with(at, 0, "\x5a", 1);
        char other[1] = { (char) (packed.data[at] ^ 0x5a) };

        ok(mended(&damaged, (struct edits){ .remove = 1, .most = 1 }, EFFORT),
           "a byte that was added is found, of %zu at %zu", packed.len, at);
        damaged = with(at, 1, "", 0);
        ok(mended(&damaged, (struct edits){ .insert = true, .inserted = EDIT_ANY, .most = 1 },
                  EFFORT),
           "a byte that was lost is found");
        damaged = with(at, 1, other, 1);
        ok(mended(&damaged, (struct edits){ .change = true, .to = EDIT_ANY, .most = 1 }, EFFORT),
           "a byte that was changed is found");
        damaged = with(at, 0, "2026-02-03 warning: cache is stale\n", 35);
        ok(mended(&damaged, (struct edits){ .remove = 35, .most = 1 }, EFFORT),
           "a line that was written into it is taken out");
    }
}

static void every(void)
{
    struct buf damaged = without('\0');
    size_t lost = packed.len - damaged.len, percent;

    ok(lost > 10, "the stream has NUL bytes: %zu of %zu", lost, packed.len);
    percent = share(&damaged, (struct edits){ .insert = true, .inserted = '\0', .most = 100 });
    ok(percent >= 60, "most is read where all of them were dropped: %zu percent", percent);
}

static void bounds(void)
{
    struct buf damaged = with(packed.len / 2, 0, "\x5a", 1);

    ok(!mended(&damaged, (struct edits){ .remove = 1, .most = 1 }, 10000),
       "nothing is found without effort");
    damaged = with(packed.len / 2, 0, "\x5a", 1);
    ok(!mended(&damaged, (struct edits){ .insert = true, .inserted = 0, .most = 3 }, EFFORT),
       "nothing is found where only other edits are tried");
    damaged = with(0, packed.len, "", 0);
    ok(!mended(&damaged, (struct edits){ .remove = 1, .most = 1 }, EFFORT),
       "nothing is found in an empty stream");
    damaged = with(0, packed.len - 9, "", 0);
    ok(!mended(&damaged, (struct edits){ .remove = 8, .most = 9 }, EFFORT),
       "nothing is found in a stream of a few bytes");
}

int main(void)
{
    make();
    single();
    every();
    bounds();
    buf_free(&plain);
    buf_free(&packed);
    return done_testing();
}
