#include "layout/columns/postal_address.h"

#include <string.h>

#include "base/scope.h"

#define LEAST 3  /* lines of an address */
#define FEW   5  /* lines: with fewer there is only one postal code */
#define LONG  60 /* characters of a line of an address, at most */
#define WORDS 8  /* of it that are looked at */
#define TEXT  16 /* bytes of a word that are looked at */

/* The first and last words of a line: 'A' for a capital letter, 'a' for another letter and '9' for
 * a digit in their shapes, other characters as they are. */
struct address_line {
    char texts[WORDS][TEXT], shapes[WORDS][TEXT];
    size_t n;
};

static bool is_digit(uint32_t c)
{
    return c - '0' < 10;
}

static char shape_of(uint32_t c)
{
    if (is_digit(c))
        return '9';
    if (c - 'A' < 26 || (c >= 0xc0 && c < 0xdf) || (c >= 0x410 && c < 0x430))
        return 'A';
    if (c - 'a' < 26 || c >= 0xdf)
        return 'a';
    return (char) (c < 0x7f ? c : '?');
}

static void add_glyph(struct address_line *line, uint32_t code, bool begins)
{
    size_t at, end;

    if (begins && line->n == WORDS) {
        memmove(line->texts[WORDS - 2], line->texts[WORDS - 1], TEXT);
        memmove(line->shapes[WORDS - 2], line->shapes[WORDS - 1], TEXT);
        line->n--;
    }
    if (begins) {
        memset(line->texts[line->n], 0, TEXT);
        memset(line->shapes[line->n++], 0, TEXT);
    }
    at = line->n - 1;
    end = strlen(line->shapes[at]);
    if (end + 1 < TEXT) {
        line->texts[at][end] = (char) (code < 0x7f ? code : '?');
        line->shapes[at][end] = shape_of(code);
    }
}

static struct address_line read_address_line(const struct line *line)
{
    struct address_line read = { .n = 0 };

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++)
            add_glyph(&read, line->words.items[i]->glyphs[k].code, k == 0);
    return read;
}

static bool is_among_texts(const char *text, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, texts[i]) == 0)
            return true;
    return false;
}

static bool has_shape(const struct address_line *line, size_t i, const char *const *shapes,
                      size_t n)
{
    return i < line->n && is_among_texts(line->shapes[i], shapes, n);
}

/* "20457 Hamburg", "D-20457 Hamburg", "1012 AB Amsterdam", "00-950 Warszawa", "111 22 Stockholm".
 */
static bool begins_with_code(const struct address_line *line)
{
    static const char *const codes[] = { "9999",    "99999",    "A-9999", "A-99999",  "AA-9999",
                                         "AA-9999", "AA-99999", "99-999", "9999-999", "999999" };
    static const char *const parts[] = { "999" }, *const seconds[] = { "99" };
    size_t town = has_shape(line, 0, codes, COUNT(codes))                          ? 1
                  : has_shape(line, 0, parts, 1) && has_shape(line, 1, seconds, 1) ? 2
                                                                                   : 0;

    return town && town < line->n && line->shapes[town][0] == 'A' && line->shapes[town][1] &&
           line->n <= town + 4;
}

/* "Whitby YO21 3PU", "Boston, MA 02110", "Ottawa K1A 0B1". */
static bool ends_with_code(const struct address_line *line)
{
    static const char *const outward[] = { "A9", "A99", "AA9", "AA99", "A9A", "AA9A" };
    static const char *const inward[] = { "9AA", "9A9" }, *const state[] = { "AA" };
    static const char *const zip[] = { "99999", "99999-9999" };
    size_t last = line->n ? line->n - 1 : 0;

    return last > 0 &&
           ((has_shape(line, last - 1, outward, COUNT(outward)) &&
             has_shape(line, last, inward, COUNT(inward))) ||
            (has_shape(line, last - 1, state, 1) && has_shape(line, last, zip, COUNT(zip))));
}

/* "3 Quay Street", "Hafenweg 3", "Hafenweg 3a". */
static bool has_house_number(const struct address_line *line)
{
    static const char *const numbers[] = { "9",  "99",  "999", "9999", "9a",    "99a",
                                           "9A", "99A", "9-9", "9-99", "99-99", "9," };
    size_t last = line->n ? line->n - 1 : 0;

    if (last == 0 || line->n > 5)
        return false;
    return (has_shape(line, 0, numbers, COUNT(numbers)) && line->shapes[1][0] == 'A' &&
            line->shapes[1][1] == 'a') ||
           (has_shape(line, last, numbers, COUNT(numbers)) && line->shapes[0][0] == 'A' &&
            line->shapes[0][1] == 'a');
}

static bool is_addressed(const struct address_line *line)
{
    static const char *const forms[] = { "Messrs",  "Messrs.", "Mr",       "Mr.",      "Mrs",
                                         "Mrs.",    "Ms",      "Ms.",      "Miss",     "Herr",
                                         "Herrn",   "Frau",    "Firma",    "Fa.",      "Eheleute",
                                         "Familie", "An",      "Monsieur", "Madame",   "Mme",
                                         "M.",      "Signor",  "Signora",  "Spett.le", "Sr.",
                                         "Sra.",    "Dhr.",    "Mevr." };

    return line->n > 0 && is_among_texts(line->texts[0], forms, COUNT(forms));
}

static bool is_company(const struct address_line *line)
{
    static const char *const forms[] = { "Ltd",  "Ltd.", "Limited", "Inc",    "Inc.", "LLC",
                                         "plc",  "PLC",  "GmbH",    "AG",     "KG",   "mbH",
                                         "e.V.", "SA",   "S.A.",    "SARL",   "SAS",  "S.r.l.",
                                         "SRL",  "BV",   "B.V.",    "S.p.A.", "AB",   "Oy" };

    return line->n > 1 && is_among_texts(line->texts[line->n - 1], forms, COUNT(forms));
}

/* A year and a word look like a postal code and a town. */
static bool may_be_year(const struct address_line *line)
{
    return strcmp(line->shapes[0], "9999") == 0 &&
           (strncmp(line->texts[0], "19", 2) == 0 || strncmp(line->texts[0], "20", 2) == 0);
}

static size_t count_chars(const struct line *line)
{
    size_t n = 0;

    for (size_t i = 0; i < line->words.n; i++)
        n += line->words.items[i]->n_glyphs + 1;
    return n;
}

bool postal_address_is(const struct line *const *lines, size_t n)
{
    size_t codes = 0, years = 0, houses = 0, addressed = 0, companies = 0;

    if (n < LEAST || n > POSTAL_ADDRESS_LINES)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct address_line line = read_address_line(lines[i]);

        if (count_chars(lines[i]) > LONG)
            return false;
        codes += begins_with_code(&line) || ends_with_code(&line);
        years += begins_with_code(&line) && may_be_year(&line);
        houses += has_house_number(&line);
        addressed += is_addressed(&line);
        companies += is_company(&line);
    }
    /* A list of towns, of people or of companies has one in each line. */
    if (codes > (n < FEW ? 1 : 2) || addressed > 2 || companies > 2 || houses * 2 > n)
        return false;
    return 2 * (codes > years) + (years > 0) + (houses > 0) + (addressed > 0) + (companies > 0) >=
           2;
}
