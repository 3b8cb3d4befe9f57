#include "base/utf8.h"

size_t utf8_decode(const char *text, size_t n, uint32_t *character)
{
    const unsigned char *s = (const unsigned char *) text;
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    uint32_t c;

    if (len == 0 || len > n || s[0] > 0xf4)
        return 0;
    if (len == 1) {
        *character = s[0];
        return 1;
    }
    c = s[0] & (0xffu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[len] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff)
        return 0;
    *character = c;
    return len;
}

bool utf8_is_valid(const char *text, size_t n)
{
    uint32_t c;

    for (size_t len; n; text += len, n -= len) {
        len = utf8_decode(text, n, &c);
        if (len == 0)
            return false;
    }
    return true;
}
