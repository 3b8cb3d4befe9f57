#include "declare/value/paper.h"

#include <math.h>

#include "tap.h"

static bool near(double a, double b)
{
    return fabs(a - b) < 0.001;
}

static bool refused(const char *text)
{
    struct paper paper;
    struct err err;

    return paper_parse(text, &paper, &err) < 0 && err.code == ERR_INVALID_PARAMETER;
}

static bool is(const char *text, double width, double height, bool is_named)
{
    struct paper paper;
    struct err err;

    return paper_parse(text, &paper, &err) == 0 && !paper.fit && paper.named == is_named &&
           near(paper.width, width) && near(paper.height, height);
}

int main(void)
{
    struct paper paper;
    struct err err;

    ok(paper_parse("fit", &paper, &err) == 0 && paper.fit, "as large as what is on it");
    ok(is("a4", 595.2756, 841.8898, true), "A4");
    ok(is(" Letter ", 612, 792, true), "letter, however it is written");
    ok(is("legal", 612, 1008, true), "legal");
    ok(is("25.4x50.8mm", 72, 144, false), "millimetres");
    ok(is("50.8X25.4MM", 144, 72, false), "keep their order");
    static const char *const wrong[] = {
        "",         "a",          "a44",        "10x10",    "10mm",        "x10mm",
        "10xmm",    "xmm",        "mm",         "1x10mm",   "10x5081mm",   "-10x10mm",
        "nanx10mm", "10x10x10mm", "10 x 10 mm", "1e9x10mm", "letter legal"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(refused(wrong[i]), "\"%s\" is refused", wrong[i]);
    return done_testing();
}
