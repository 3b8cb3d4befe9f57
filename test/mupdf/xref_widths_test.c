/* xref_widths: which cross-reference streams are rejected before MuPDF reads them. */
#include "engine/mupdf/xref_widths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static bool are_sane(const char *text)
{
    char path[] = "/tmp/xref_widths.XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool sane;

    if (!file)
        return false;
    fputs(text, file);
    fclose(file);
    sane = xref_widths_are_sane(path);
    unlink(path);
    return sane;
}

/* One line with a "/W" before each of its percent signs. */
static bool long_line_is_sane(size_t n)
{
    char *text = calloc(n + 1, 4);
    bool sane;

    for (size_t i = 0; text && i < n; i++)
        memcpy(text + 3 * i, "/W%", 3);
    sane = text && are_sane(text);
    free(text);
    return sane;
}

int main(void)
{
    ok(are_sane("<</Type/XRef/W[1 2 1]/Size 9>>"), "usual widths are sane");
    ok(are_sane("<</Type/Font/W[7 [500 1000] 65535 65535 250]>>"),
       "so are widths of a font's glyphs");
    ok(are_sane("<</W[1 -99999999 1]>>"), "a negative width is not a large one");
    ok(are_sane("/W[1 (99999999) 99999999]"), "an array of other things has no widths");
    ok(are_sane("/W[1 0.99999999 1]/W"), "digits after the point do not count");
    ok(!are_sane("<</W[1 99999999 1]>>"), "a width of a hundred million is not sane");
    ok(!are_sane("<</W [ 1\n2\r65536]>>"), "nor is the first one above the limit");
    ok(!are_sane("<</W[+99999999 1 1]>>"), "nor is it with a sign");
    ok(!are_sane("<</W[1 000000000000000000000000000000000000099999999 1]>>"),
       "nor is it after many zeros");
    ok(!are_sane("<</W% (\n[1%]\n99999999 1]>>"), "comments do not hide it");
    ok(!are_sane("(/W(/W(/W[1 1 99999999"), "nor do strings that do not end");
    ok(long_line_is_sane(2000000), "a long line of comments is read in time");
    ok(!xref_widths_are_sane("/nonexistent"), "a file that cannot be read is not sane");
    return done_testing();
}
