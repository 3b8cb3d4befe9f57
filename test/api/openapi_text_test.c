#include "api/openapi_text.h"

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
           "up to the next heading of its kind");
    is_str(section(text, "two"), "both\n", "a heading may name several");
    is_str(section(text, "three"), "both\n", "any of them is found");
    is_str(section(text, "thre"), "", "part of a name is none");
    is_str(section(text, "Title"), "", "nor is the title");
    is_str(section("## end", "end"), "", "a heading may be the last line");
    is_str(section("", "one"), "", "a text may be empty");
    return done_testing();
}
