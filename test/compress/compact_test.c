/* compact: the shortest text of an object, its references, and changes of keys. */
#include "compress/content/compact.h"

#include "tap.h"

static bool name_target(void *arg, int id, int gen, const char *name, uint32_t *target)
{
    (void) arg, (void) gen, (void) name;
    *target = id == 99 ? COMPACT_NULL : (uint32_t) id;
    return true;
}

static uint32_t ten_more(const void *arg, uint32_t target)
{
    (void) arg;
    return target + 10;
}

static void becomes(const char *text, const struct compact_edit *edits, size_t n_edits,
                    const char *want, const char *what)
{
    struct compact value = { 0 };
    struct buf out = BUF_EMPTY;

    if (compact_read(&value, text, name_target, NULL))
        compact_write(&value, edits, n_edits, ten_more, NULL, &out);
    is_str(buf_text(&out), want, "%s", what);
    compact_free(&value);
    buf_free(&out);
}

int main(void)
{
    struct compact half = { 0 };
    struct compact_edit edits[] = { { "/B", NULL, 0 }, { "/C", (char[]){ "[/X \1]" }, 5 } };

    becomes("<< /Type /Page /Kids [ 1 0 R 2 0 R ] /N 5 /S (a) >>", NULL, 0,
            "<</Type/Page/Kids[11 0 R 12 0 R]/N 5/S(a)>>",
            "white space is removed, and references are renumbered");
    becomes("[ 0.500000 -0.250 007.0 100 1.5 -0.0 ]", NULL, 0, "[.5 -.25 7 100 1.5 -0]",
            "numbers lose needless zeros");
    becomes("[ 123456789012345678.0 1234567890123456789.00 ]", NULL, 0,
            "[123456789012345678 1234567890123456789.]",
            "a number does not become an integer of more than 64 bits");
    becomes("[ <28616200> (\\(\\051\\\\) ]", NULL, 0, "[(\\(ab", "strings are literal");
    becomes("<< /A 99 0 R >>", NULL, 0, "<</A null>>", "a reference to nothing is null");
    becomes("<< /A /N /B [ 1 0 R << /B 2 >> ] /C 3 0 R /D (/B) >>", edits, 2,
            "<</A/N/D(/B)/C[/X 15 0 R]>>",
            "keys are removed and set, but not those of nested dictionaries");
    becomes("<< /C 3 0 R /B 4 0 R /A 6 0 R >>", edits, 2, "<</A 16 0 R/C[/X 15 0 R]>>",
            "references of removed keys are removed");
    ok(!compact_read(&half, "<a", name_target, NULL), "a string without an end is refused");
    compact_free(&half);
    return done_testing();
}
