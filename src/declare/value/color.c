#include "declare/value/color.h"

#include "base/num.h"

bool color_parse(const char *text, size_t n, uint32_t *out)
{
    uint32_t color = 0;

    if (n && *text == '#') {
        text++;
        n--;
    }
    if (n != 3 && n != 6)
        return false;
    for (size_t i = 0; i < n; i++) {
        int digit = num_hex_digit(text[i]);

        if (digit < 0)
            return false;
        color = color << 4 | (uint32_t) digit;
        if (n == 3)
            color = color << 4 | (uint32_t) digit;
    }
    *out = color;
    return true;
}
