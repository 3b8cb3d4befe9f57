#include "declare/value/numeral.h"

#include <limits.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/template.h"

static const struct {
    const char *word, *style;
} styles[] = { { "n", "/D" }, { "roman", "/r" }, { "ROMAN", "/R" }, { "alpha", "/a" } };

const char *numeral_style(const char *word, size_t n)
{
    for (size_t i = 0; i < COUNT(styles); i++)
        if (strlen(styles[i].word) == n && memcmp(styles[i].word, word, n) == 0)
            return styles[i].style;
    return NULL;
}

static void put_roman(struct buf *out, long long n, bool small)
{
    static const struct {
        int value;
        const char *large, *small;
    } parts[] = { { 1000, "M", "m" }, { 900, "CM", "cm" }, { 500, "D", "d" }, { 400, "CD", "cd" },
                  { 100, "C", "c" },  { 90, "XC", "xc" },  { 50, "L", "l" },  { 40, "XL", "xl" },
                  { 10, "X", "x" },   { 9, "IX", "ix" },   { 5, "V", "v" },   { 4, "IV", "iv" },
                  { 1, "I", "i" } };

    for (size_t i = 0; i < COUNT(parts); i++)
        for (; n >= parts[i].value; n -= parts[i].value)
            buf_puts(out, small ? parts[i].small : parts[i].large);
}

/* The largest number that a style can write sensibly: 3999 for Roman numerals, 780 (thirty
 * letters) for letters, any for digits. */
static long long most_of(const char *style)
{
    return style[1] == 'D' ? LLONG_MAX : (style[1] | 0x20) == 'r' ? 3999 : 30 * 26;
}

void numeral_put(struct buf *out, const char *style, long long n)
{
    if (style[1] == 'D' || n < 1 || n > most_of(style)) {
        buf_printf(out, "%lld", n);
    } else if ((style[1] | 0x20) == 'r') {
        put_roman(out, n, style[1] == 'r');
    } else {
        /* a to z, aa to zz and so on. */
        for (long long i = 0; i <= (n - 1) / 26; i++)
            buf_putc(out, (char) (style[1] + (n - 1) % 26));
    }
}

int numeral_check(const char *format, long long number, struct err *err)
{
    size_t n = 0;

    for (const char *word = format; (word = template_word(word, &n)); word += n) {
        const char *style = numeral_style(word, n);

        if (style && number > most_of(style))
            return err_field(err, ERR_INVALID_PARAMETER, "format",
                             "a page's number is %lld: {%.*s} goes to %lld", number, (int) n, word,
                             most_of(style));
    }
    return 0;
}
