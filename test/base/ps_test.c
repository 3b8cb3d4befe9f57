#include "base/ps.h"

#include <string.h>

#include "tap.h"

static long long length(const char *text)
{
    return (long long) ps_string_length(text, strlen(text));
}

int main(void)
{
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
