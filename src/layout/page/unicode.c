#include "layout/page/unicode.h"

#include <utf8proc.h>

#define MOST 32 /* characters of a decomposition, at most (U+FDFA has 18) */

static bool is_presentation_form(uint32_t c)
{
    return (c >= 0xfb00 && c <= 0xfb06) || (c >= 0xfb50 && c <= 0xfbff) ||
           (c >= 0xfe70 && c <= 0xfefc);
}

size_t unicode_plain(uint32_t c, uint32_t plain[static 4])
{
    utf8proc_int32_t parts[MOST];
    utf8proc_ssize_t n_parts;
    size_t n = 0;

    plain[0] = c;
    if (!is_presentation_form(c))
        return 1;
    n_parts = utf8proc_decompose_char((utf8proc_int32_t) c, parts, MOST,
                                      UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, NULL);
    n_parts = utf8proc_normalize_utf32(parts, n_parts, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    /* A vowel sign alone is decomposed into a space and the sign. */
    for (utf8proc_ssize_t i = 0; i < n_parts && n < 4; i++)
        if (parts[i] != ' ')
            plain[n++] = (uint32_t) parts[i];
    return n;
}

uint32_t unicode_compose(uint32_t letter, uint32_t mark)
{
    utf8proc_int32_t both[2] = { (utf8proc_int32_t) letter, (utf8proc_int32_t) mark };
    utf8proc_ssize_t n = utf8proc_normalize_utf32(both, 2, UTF8PROC_STABLE | UTF8PROC_COMPOSE);

    return n == 1 ? (uint32_t) both[0] : 0;
}

bool unicode_is_text(uint32_t c)
{
    return (c >= 0x20 || c == '\t') && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe &&
           c <= 0x10ffff;
}
