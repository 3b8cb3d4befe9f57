#include "server/openapi/openapi_text.h"

#include "tap.h"

static const char *section(const char *markdown, const char *name)
{
    static struct buf out;

    buf_free(&out);
    openapi_section(markdown, name, &out);
    return buf_text(&out);
}

int main(void)
{
    const char *text =
        "# Title\n\nbefore\n\n## one\n\nfirst\n\n### below\n\nmore\n## two, three\nboth\n";

    is_str(section(text, "one"), "first\n\n### below\n\nmore\n",
           "a section ends before the next heading of its level");
    is_str(section(text, "two"), "both\n",
           "a heading that names two sections is found by the first name");
    is_str(section(text, "three"), "both\n",
           "a heading that names two sections is found by the second name");
    is_str(section(text, "thre"), "", "part of a name does not find a section");
    is_str(section(text, "Title"), "", "the document's title is not a section");
    is_str(section("## end", "end"), "", "a heading in the last line has an empty section");
    is_str(section("", "one"), "", "an empty text has no section");
    return done_testing();
}
