/* Signs of sums: those that programs read as such, and others, which are signs with limits. */
#include "write/docx/equation.h"

#include <string.h>

#include "tap.h"

static struct formula text_of(const char *text)
{
    return (struct formula){ .kind = FORMULA_TEXT, .text = text, .len = strlen(text), .size = 10 };
}

static bool writes(const char *sign, bool beside, const char *element)
{
    const struct page_font fonts[1] = { 0 };
    struct formula base = text_of(sign), below = text_of("i"), sum;
    AUTO_BUF struct buf xml = { 0 };

    sum = (struct formula){
        .kind = FORMULA_SUM, .base = &base, .below = &below, .at_right = beside, .size = 10
    };
    equation_put(&xml, fonts, &sum);
    buf_putc(&xml, '\0');
    return xml.data && strstr(xml.data, element) && strstr(xml.data, sign);
}

int main(void)
{
    ok(writes("∑", false, "<m:nary>"), "a sum is one");
    ok(writes("⋃", false, "<m:limLow><m:e>"), "the sign of a union has limits below it");
    ok(writes("⋂", true, "<m:sSub>"), "or beside it");
    return done_testing();
}
