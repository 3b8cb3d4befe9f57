/* made: streams are only made again if their treatment has changed. */
#include "compress/made.h"

#include <string.h>

#include "tap.h"

#define N 3

static bool has(const struct made *made, size_t i, const struct made_how *how, const char *text)
{
    AUTO_PACK_STREAM struct pack_stream out = { 0 };

    return made_find(made, i, how, &out) && out.data.len == strlen(text) &&
           memcmp(out.data.data, text, out.data.len) == 0 && out.n_edits == 1 &&
           strcmp(out.edits[0].value, "/DCTDecode") == 0;
}

static bool knows(const struct made *made, size_t i, const struct made_how *how)
{
    AUTO_PACK_STREAM struct pack_stream out = { 0 };

    return made_find(made, i, how, &out);
}

static void keep(struct made *made, size_t i, const struct made_how *how, const char *text,
                 size_t n)
{
    AUTO_PACK_STREAM struct pack_stream stream = { 0 };

    buf_put(&stream.data, text, n);
    pack_edit(&stream, "/Filter", "/%s", "DCTDecode");
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
    ok(has(&made, 0, &screen, "one"), "as often as it is asked for");
    ok(!knows(&made, 1, &screen), "but no other");
    ok(!knows(&made, 0, &ebook), "not for another profile");
    other.kept = 8;
    ok(!knows(&made, 0, &other), "nor if it is to lose less");
    other = screen;
    other.keep_all = true;
    ok(!knows(&made, 0, &other), "nor if all are");
    other = screen;
    other.screens = false;
    ok(!knows(&made, 0, &other), "nor for paper");
    keep(&made, 0, &ebook, "two", 3);
    ok(has(&made, 0, &ebook, "two") && !knows(&made, 0, &screen), "the last treatment counts");
    keep(&made, 0, &screen, large, sizeof large);
    ok(!knows(&made, 0, &screen) && !knows(&made, 0, &ebook),
       "what takes too much memory is not known, and what it replaces neither");
    keep(&made, 2, &screen, "three", 5);
    ok(has(&made, 2, &screen, "three"), "the memory of what is forgotten is free again");
    made_free(&made);
    return done_testing();
}
