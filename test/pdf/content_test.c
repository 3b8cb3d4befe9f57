/* Tests of pdf/content: the names a content stream uses, and when they are not to be trusted. */
#include "pdf/content/content.h"

#include <string.h>

#include "tap.h"

struct found {
    char text[512];
};

static bool note(void *arg, enum content_kind kind, const char *name)
{
    struct found *found = arg;
    size_t n = strlen(found->text);

    snprintf(found->text + n, sizeof found->text - n, "%s%s ", content_categories[kind], name);
    return true;
}

static bool read_names(const char *content, struct found *found)
{
    found->text[0] = '\0';
    return content_names((const unsigned char *) content, strlen(content), note, found);
}

static void names(const char *content, const char *want, const char *sentence)
{
    struct found found;
    bool whole = read_names(content, &found);

    if (ok(whole, "%s: it is read to its end", sentence))
        is_str(found.text, want, "%s", sentence);
}

static void test_names(void)
{
    names("q /Im1 Do Q", "/XObject/Im1 ", "Do names an XObject");
    names("BT /F1 12 Tf (a) Tj ET", "/Font/F1 ", "Tf names a font in front of its size");
    names("/G gs /C cs /D CS /S sh", "/ExtGState/G /ColorSpace/C /ColorSpace/D /Shading/S ",
          "states, colour spaces and shadings are named");
    names("1 0 0 /P scn 1 0 0 scn /P2 SCN", "/Pattern/P /Pattern/P2 ",
          "a colour names a pattern only if it ends in a name");
    names("/OC /L BDC EMC /P <</MCID 0/Other/X>> BDC EMC /Span BMC EMC", "/Properties/L ",
          "marked content names its properties, not its tag nor what is in it");
    names("/A#20B Do", "/XObject/A B ", "#xx in names is resolved");
    names("[(a /No Do) -3 <2f4e6f>] TJ % /No Do\n/Yes Do", "/XObject/Yes ",
          "strings, arrays and comments name nothing");
    names("(\\) /No Do \\( (in) ) Tj /Yes Do", "/XObject/Yes ", "brackets in strings are counted");
    names("BX /X unheard EX /Yes Do", "/XObject/Yes ", "unknown operators may stand within BX EX");
    names("", "", "an empty stream names nothing");
}

static void test_inline_images(void)
{
    names("BI /W 1 /H 1 /BPC 8 /CS /Own ID \x80"
          "EI\x81 Q\nEI /Yes Do",
          "/ColorSpace/Own /XObject/Yes ", "an inline image names its colour space");
    names("BI /W 1 /H 1 /CS [/Indexed /RGB 1 <0011>] ID ab\nEI Q /Yes Do", "/XObject/Yes ",
          "an inline image with a direct colour space names none");
}

static void test_refusals(void)
{
    static const char *const broken[] = {
        "/Im1 Do foo", "(never closed /Im1 Do", "[1 2 3", "<</A 1", "BI /W 1 ID abc", "<0g> Tj",
        "} Q",
    };
    struct found found;

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        ok(!read_names(broken[i], &found), "what cannot be read is refused: %s", broken[i]);
}

int main(void)
{
    ok(content_names(NULL, 0, note, NULL), "a page without contents names nothing");
    test_names();
    test_inline_images();
    test_refusals();
    return done_testing();
}
