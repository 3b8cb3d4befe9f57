#include "base/ps.h"

#include <string.h>

#include "tap.h"

static long long length(const char *text)
{
    return (long long) ps_string_length(text, strlen(text));
}

static long long skipped(const char *text)
{
    const unsigned char *at = (const unsigned char *) text;

    return ps_skip_space(at, at + strlen(text)) - at;
}

/* The bytes of a name, up to what is none of its. */
static const char *named(const char *text)
{
    static char name[20];
    const unsigned char *at = (const unsigned char *) text, *end = at + strlen(text);
    size_t n = 0;

    while (at < end && ps_is_regular(*at) && n + 1 < sizeof name)
        name[n++] = (char) ps_name_byte(&at, end);
    name[n] = '\0';
    return name;
}

int main(void)
{
    is_int(skipped(" \t% a comment\r\n%another\n x"), 25, "spaces and comments are skipped");
    is_int(skipped("% to the end"), 12, "a comment may have no end");
    is_int(skipped("x"), 0, "and what is neither stays");
    is_str(named("A#42#4#zz#4"), "AB#4#zz#4",
           "a number sign and two digits are one byte of a name");
    is_str(named("A#2fB/C"), "A/B", "whatever it is");

    for (int c = 0; c < 256; c++) {
        bool space = c == 0 || (c >= 9 && c <= 13 && c != 11) || c == 32;
        bool delimiter = c && strchr("()<>[]{}/%", c);

        if (ps_is_space(c) != space || ps_is_regular(c) != (!space && !delimiter))
            ok(false, "character %d is of its class", c);
    }
    ok(ps_is_regular('a') && !ps_is_regular('/') && !ps_is_regular('\0'),
       "characters have classes");
    is_int(length("(abc) Tj"), 5, "a string ends behind its bracket");
    is_int(length("(a(b)c) Tj"), 7, "brackets in it are counted");
    is_int(length("(a\\)b\\\\) Tj"), 8, "but not escaped ones");
    is_int(length("(abc"), 0, "a string without an end has none");
    is_int(length("(abc\\"), 0, "nor one that ends in an escape");
    return done_testing();
}
