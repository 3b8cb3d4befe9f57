#include "layout/tables/continued_line.h"

#include <string.h>

#define LONGEST 120 /* characters of such a line, at most */

/* Words that say so, in lower case and without the characters that are not ASCII. */
static const char *const words[] = {
    "continued", "(cont",    "cont'd",     "contd",     "fortsetzung", "fortgesetzt", "(suite",
    "suite)",    "suite du", "continuaci", "continuao", "(continua",   "(segue",      "segue)",
    "(vervolg",  "vervolg)", "(fortsatt",  "(forts",    "ciag dalszy", "cig dalszy",
};

static bool finds(const char *text)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static size_t add_letter(char *text, size_t n, uint32_t c)
{
    if (c >= 'A' && c <= 'Z')
        c += 32;
    if (c >= ' ' && c < 0x7f)
        text[n++] = (char) c;
    return n;
}

bool continued_line_says(const char *text, size_t n)
{
    char plain[LONGEST + 1];
    size_t kept = 0;

    if (n > LONGEST)
        return false;
    for (size_t i = 0; i < n; i++)
        kept = add_letter(plain, kept, (unsigned char) text[i]);
    plain[kept] = '\0';
    return finds(plain);
}

bool continued_line_is(const struct line *line)
{
    char plain[LONGEST + 1];
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++) {
        for (size_t k = 0; k < line->words.items[i]->n_glyphs && n < LONGEST; k++)
            n = add_letter(plain, n, line->words.items[i]->glyphs[k].code);
        if (n == LONGEST)
            return false;
        plain[n++] = ' ';
    }
    plain[n] = '\0';
    return finds(plain);
}
