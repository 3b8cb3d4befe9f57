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

uint32_t utf8_next(const char *text, size_t n, size_t *at)
{
    const unsigned char *s = (const unsigned char *) text + *at;
    size_t len, left = n - *at;
    uint32_t c;

    if (left == 0)
        return 0;
    len = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    len = len < left ? len : left;
    c = len == 1 ? s[0] : s[0] & (0xffu >> (len + 1));
    for (size_t i = 1; i < len; i++)
        c = c << 6 | (s[i] & 0x3f);
    *at += len;
    return c;
}

size_t utf8_encode(uint32_t c, char out[static UTF8_MOST])
{
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    if (len == 1) {
        out[0] = (char) c;
        return 1;
    }
    for (size_t i = len - 1; i > 0; i--, c >>= 6)
        out[i] = (char) (0x80 | (c & 0x3f));
    out[0] = (char) (0xff00u >> len | c);
    return len;
}

void utf8_put(uint32_t character, struct buf *out)
{
    char text[UTF8_MOST];

    buf_put(out, text, utf8_encode(character, text));
}
