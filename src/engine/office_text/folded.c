#include "engine/office_text/folded.h"

#include <stdint.h>
#include <utf8proc.h>

#include "base/utf8.h"

#define MOST_PARTS 32 /* characters that one is decomposed into */

static bool is_letter_kind(uint32_t c)
{
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t) c);

    return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

static bool is_in_word(uint32_t c)
{
    utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t) c);

    return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_NO;
}

/* Written from right to left, or with vowels around consonants: from Hebrew to Khmer and Mongolian,
 * without Georgian and Hangul; and what was added to these later. */
static bool is_complex(uint32_t c)
{
    return (c >= 0x590 && c < 0x10a0) || (c >= 0x1780 && c < 0x18b0) ||
           (c >= 0x1900 && c < 0x1d00) || (c >= 0xa800 && c < 0xac00) ||
           (c >= 0xfb1d && c < 0xfe00) || (c >= 0xfe70 && c < 0xff00) ||
           (c >= 0x10800 && c < 0x12000) || c >= 0x1e800;
}

void folded_put(struct buf *out, const char *text, size_t n)
{
    const utf8proc_option_t how =
        UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_IGNORE | UTF8PROC_CASEFOLD;

    for (size_t i = 0; i < n;) {
        utf8proc_int32_t parts[MOST_PARTS];
        uint32_t c;
        size_t length = utf8_decode(text + i, n - i, &c);
        int boundary = 0;
        utf8proc_ssize_t count;

        i += length ? length : 1;
        if (!length)
            continue;
        count = utf8proc_decompose_char((utf8proc_int32_t) c, parts, MOST_PARTS, how, &boundary);
        for (utf8proc_ssize_t k = 0; k < count && k < MOST_PARTS; k++)
            if (is_letter_kind((uint32_t) parts[k]) ||
                utf8proc_category(parts[k]) == UTF8PROC_CATEGORY_ND)
                utf8_put((uint32_t) parts[k], out);
    }
}

size_t folded_next_word(const char *text, size_t n, size_t *at, const char **word, bool *plain)
{
    size_t begin = 0, length;
    bool inside = false;
    uint32_t c;

    *plain = true;
    for (; *at < n; *at += length ? length : 1) {
        length = utf8_decode(text + *at, n - *at, &c);
        if (length && (inside ? is_in_word(c) : is_letter_kind(c))) {
            begin = inside ? begin : *at;
            inside = true;
            *plain = *plain && !is_complex(c);
        } else if (inside) {
            break;
        }
    }
    *word = text + begin;
    return inside ? *at - begin : 0;
}
