/* made: streams are only made again if their treatment has changed. */
#include "compress/compress/made.h"

#include <string.h>

#include "tap.h"

#define N 3

static bool has(const struct made *made, size_t i, const struct made_how *how, const char *text)
{
    AUTO_NEW_STREAM struct new_stream out = { 0 };

    return made_find(made, i, how, &out) && out.data.len == strlen(text) &&
           memcmp(out.data.data, text, out.data.len) == 0 && out.n_edits == 1 &&
           strcmp(out.edits[0].value, "/DCTDecode") == 0;
}

static bool knows(const struct made *made, size_t i, const struct made_how *how)
{
    AUTO_NEW_STREAM struct new_stream out = { 0 };

    return made_find(made, i, how, &out);
}

static void keep(struct made *made, size_t i, const struct made_how *how, const char *text,
                 size_t n)
{
    AUTO_NEW_STREAM struct new_stream stream = { 0 };

    buf_put(&stream.data, text, n);
    new_stream_set(&stream, "/Filter", "/%s", "DCTDecode");
    made_keep(made, N, i, how, &stream);
}

int main(void)
{
    static char large[49 << 20];
    static const char *const profiles[] = { "screen", "ebook" };
    struct made_how screen = { .profile = &profiles[0], .kept = 7, .screens = true };
    struct made_how ebook = screen, other = screen;
    struct made made = { 0 };

    ebook.profile = &profiles[1];
    ok(!knows(&made, 0, &screen), "nothing is known at first");
    keep(&made, 0, &screen, "one", 3);
    ok(has(&made, 0, &screen, "one"), "a stream comes back with its dictionary's changes");
    ok(has(&made, 0, &screen, "one"), "a stream comes back each time");
    ok(!knows(&made, 1, &screen), "another stream is not known");
    ok(!knows(&made, 0, &ebook), "a stream for another profile is not known");
    other.kept = 8;
    ok(!knows(&made, 0, &other), "a stream that has to lose less is not known");
    other = screen;
    other.keep_all = true;
    ok(!knows(&made, 0, &other), "a stream is not known if all have to lose nothing");
    other = screen;
    other.screens = false;
    ok(!knows(&made, 0, &other), "a stream that is not for screens is not known");
    keep(&made, 0, &ebook, "two", 3);
    ok(has(&made, 0, &ebook, "two") && !knows(&made, 0, &screen),
       "only the last result of a stream is known");
    keep(&made, 0, &screen, large, sizeof large);
    ok(!knows(&made, 0, &screen) && !knows(&made, 0, &ebook),
       "a stream that is too large is not known, nor is the one it replaces");
    keep(&made, 2, &screen, "three", 5);
    ok(has(&made, 2, &screen, "three"), "memory of a forgotten stream is available again");
    made_free(&made);
    return done_testing();
}
