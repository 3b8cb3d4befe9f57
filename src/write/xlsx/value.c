#include "write/xlsx/value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/scope.h"
#include "layout/page/unicode.h"

#define MOST_DIGITS   15 /* digits that a double can represent */
#define MOST_DECIMALS 10
#define MOST_TEXT     60 /* bytes: longer texts are not numbers */
#define CENTURY       70 /* two-digit years below it belong to this century */

/* Symbols and codes (ISO 4217) of currencies. A text that ends with another one comes before it. */
static const char *const currencies[] = { "US$",
                                          "A$",
                                          "C$",
                                          "R$",
                                          "HK$",
                                          "NZ$",
                                          "S$",
                                          "$",
                                          "\xe2\x82\xac" /* euro */,
                                          "\xc2\xa3" /* pound */,
                                          "\xc2\xa5" /* yen */,
                                          "\xe2\x82\xb9" /* rupee */,
                                          "\xe2\x82\xbd" /* ruble */,
                                          "\xe2\x82\xa9" /* won */,
                                          "\xe2\x82\xba" /* lira */,
                                          "kr",
                                          "z\xc5\x82",
                                          "K\xc4\x8d",
                                          "EUR",
                                          "USD",
                                          "GBP",
                                          "CHF",
                                          "JPY",
                                          "CNY",
                                          "SEK",
                                          "NOK",
                                          "DKK",
                                          "PLN",
                                          "CZK",
                                          "HUF",
                                          "CAD",
                                          "AUD",
                                          "NZD",
                                          "INR",
                                          "BRL",
                                          "MXN",
                                          "ZAR",
                                          "RUB",
                                          "TRY",
                                          "Fr.",
                                          "Rs." };

/* Blanks besides U+0020 that separate groups of digits. */
static const char *const blanks[] = { "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x87" };
/* Apostrophes that do, too. */
static const char *const apostrophes[] = { "'", "\xe2\x80\x99" };
static const char *const minuses[] = { "-", "\xe2\x88\x92", "\xe2\x80\x93" };

struct text {
    const char *at;
    size_t n;
};

static bool starts(const struct text *text, const char *with)
{
    size_t n = strlen(with);

    return text->n >= n && memcmp(text->at, with, n) == 0;
}

static bool ends(const struct text *text, const char *with)
{
    size_t n = strlen(with);

    return text->n >= n && memcmp(text->at + text->n - n, with, n) == 0;
}

static bool skip_start(struct text *text, const char *with)
{
    if (!starts(text, with))
        return false;
    text->at += strlen(with);
    text->n -= strlen(with);
    return true;
}

static bool skip_end(struct text *text, const char *with)
{
    if (!ends(text, with))
        return false;
    text->n -= strlen(with);
    return true;
}

static void trim_text(struct text *text)
{
    bool more;

    do {
        more = skip_start(text, " ") || skip_start(text, "\t") || skip_end(text, " ") ||
               skip_end(text, "\t");
        for (size_t i = 0; i < COUNT(blanks); i++)
            more = more || skip_start(text, blanks[i]) || skip_end(text, blanks[i]);
    } while (more);
}

/* The digits of a number and its separators. */
struct digits {
    char digits[MOST_DIGITS + 1];
    size_t n;
    size_t points, commas; /* number of points and commas */
    size_t last_at;        /* digits before the last point or comma */
    size_t after;          /* digits after it */
    char last;             /* the last separator; 0: there is none */
    bool blanks;           /* blanks or apostrophes separate groups */
    size_t group;          /* digits since the last separator */
    bool groups;           /* all groups except the first have three digits, or two and three */
    size_t first_group;    /* digits of the first group */
};

static bool read_divider(struct text *text)
{
    if (skip_start(text, " "))
        return true;
    for (size_t i = 0; i < COUNT(blanks); i++)
        if (skip_start(text, blanks[i]))
            return true;
    for (size_t i = 0; i < COUNT(apostrophes); i++)
        if (skip_start(text, apostrophes[i]))
            return true;
    return false;
}

/* False: there is something else, or too much. */
static bool read_digits(struct text text, struct digits *out)
{
    bool first = true;

    *out = (struct digits){ .groups = true };
    while (text.n) {
        char c = *text.at;

        if (isdigit((unsigned char) c)) {
            if (out->n == MOST_DIGITS)
                return false;
            out->digits[out->n++] = c;
            out->group++;
            out->after++;
            text.at++;
            text.n--;
            continue;
        }
        if (!first && out->group != 3 && out->group != 2)
            out->groups = false;
        if (first)
            out->first_group = out->group;
        if (c == '.' || c == ',') {
            out->points += c == '.';
            out->commas += c == ',';
            out->last = c;
            out->last_at = out->n;
            text.at++;
            text.n--;
            out->after = 0;
        } else if (read_divider(&text)) {
            /* Blanks separate groups of three and nothing else. */
            if (out->last || (!first && out->group != 3) || out->group > 3)
                return false;
            out->blanks = true;
        } else {
            return false;
        }
        first = false;
        out->group = 0;
    }
    if (first)
        out->first_group = out->group;
    return out->n > 0 && (out->group > 0 || out->last) &&
           !(out->blanks && !out->last && out->group != 3);
}

/* Whether the number itself shows that its last separator, '.' or ',', is the decimal sign; 0:
 * it does not. */
static char decimal_of(const struct digits *d)
{
    char other = d->last == '.' ? ',' : '.';
    size_t same = d->last == '.' ? d->points : d->commas;
    size_t others = d->last == '.' ? d->commas : d->points;

    if (!d->last)
        return 0;
    if (others > 0)
        return same == 1 ? d->last : 0; /* 1,234.5; not 1,2.3.4 */
    if (same > 1)
        return other; /* 1.234.567 */
    if (d->after != 3 || d->blanks || d->last_at > 3 || d->last_at == 0 ||
        (d->last_at == 1 && d->digits[0] == '0'))
        return d->last; /* 12.5, 0.125, 1234.567 */
    return 0;
}

struct number {
    double value;
    size_t decimals;
    bool grouped;
};

static bool is_comma_language(const char *language)
{
    static const char *const points[] = { "en", "zh", "ja", "ko", "th", "he", "hi", "ms" };

    for (size_t i = 0; i < COUNT(points); i++)
        if (strncasecmp(language, points[i], 2) == 0)
            return false;
    return *language && strcasecmp(language, "de-CH") != 0 && strcasecmp(language, "es-MX") != 0;
}

static bool has_comma_decimals(const struct value_usage *usage, const char *language)
{
    if (usage->point_decimals != usage->comma_decimals)
        return usage->comma_decimals > usage->point_decimals;
    return is_comma_language(language);
}

/* `money`: hardly any amount has three decimals. */
static bool read_cell_number(struct text text, bool comma_decimals, bool money,
                             struct number *number)
{
    struct digits d;
    char decimal, plain[MOST_DIGITS + 3];
    size_t whole;

    if (!read_digits(text, &d))
        return false;
    decimal = decimal_of(&d);
    if (!decimal && d.last)
        decimal = (money ? d.last == '.' : comma_decimals) ? ',' : '.';
    whole = decimal == d.last && d.last ? d.last_at : d.n;
    if (decimal == d.last && d.last && (d.last == '.' ? d.points : d.commas) > 1)
        return false;
    /* Separators that are not decimal signs separate groups. */
    if ((d.points + d.commas > (size_t) (whole != d.n) && !d.groups) ||
        (whole == d.n && d.last && d.group != 3))
        return false;
    if (d.points + d.commas > (size_t) (whole != d.n) && (d.first_group == 0 || d.first_group > 3))
        return false;
    /* 007 is a name; 0 and 0.5 are not. */
    if (whole > 1 && d.digits[0] == '0')
        return false;
    number->decimals = d.n - whole;
    if (number->decimals > MOST_DECIMALS)
        return false;
    number->grouped = whole > 3 && (d.blanks || d.points + d.commas > (size_t) (whole != d.n));
    snprintf(plain, sizeof plain, "%.*s.%.*s", (int) whole, d.digits, (int) number->decimals,
             d.digits + whole);
    number->value = strtod(plain, NULL); /* the locale is always C in this program */
    return true;
}

/* The text around the digits. */
struct dress {
    bool negative, brackets, percent;
    const char *currency;
    bool currency_after, currency_apart;
    char mark[24]; /* of notes */
};

static bool read_currency(struct text *text, struct dress *dress)
{
    for (size_t i = 0; i < COUNT(currencies) && !dress->currency; i++) {
        size_t before = text->n;

        if (skip_start(text, currencies[i])) {
            dress->currency = currencies[i];
        } else if (skip_end(text, currencies[i])) {
            dress->currency = currencies[i];
            dress->currency_after = true;
        }
        if (!dress->currency)
            continue;
        before = text->n;
        trim_text(text);
        dress->currency_apart = text->n != before;
        return true;
    }
    return false;
}

/* Takes the marks of notes after a value, "1" or "1, a": they are raised. After 10 it is a power.
 */
static void read_mark(struct text *text, struct dress *dress)
{
    struct text at = *text, rest = *text;
    size_t n;

    while ((n = unicode_raised_end(at.at, at.n)) > 0 ||
           (rest.n < text->n && (skip_end(&at, ",") || skip_end(&at, " ")))) {
        at.n -= n;
        rest = n ? at : rest;
    }
    if (rest.n == text->n || text->n - rest.n >= sizeof dress->mark ||
        (rest.n >= 2 && strncmp(rest.at + rest.n - 2, "10", 2) == 0))
        return;
    snprintf(dress->mark, sizeof dress->mark, "%.*s", (int) (text->n - rest.n), rest.at + rest.n);
    *text = rest;
}

static bool read_minus(struct text *text)
{
    for (size_t i = 0; i < COUNT(minuses); i++)
        if (skip_start(text, minuses[i]) || skip_end(text, minuses[i]))
            return true;
    return false;
}

static void undress(struct text *text, struct dress *dress)
{
    bool more;

    *dress = (struct dress){ 0 };
    trim_text(text);
    read_mark(text, dress);
    trim_text(text);
    do {
        more = false;
        if (!dress->brackets && text->n > 2 && *text->at == '(' && text->at[text->n - 1] == ')') {
            text->at++;
            text->n -= 2;
            dress->brackets = more = true;
        }
        if (!dress->negative && read_minus(text))
            dress->negative = more = true;
        if (!dress->percent && skip_end(text, "%"))
            dress->percent = more = true;
        more = read_currency(text, dress) || more;
        if (more)
            trim_text(text);
    } while (more);
    skip_start(text, "+");
}

static void put_format(const struct number *number, const struct dress *dress, char *out)
{
    char digits[VALUE_FORMAT / 2], body[VALUE_FORMAT];
    const char *money = dress->currency ? dress->currency : "";
    const char *apart = dress->currency_apart ? " " : "";

    snprintf(digits, sizeof digits, "%s%s%.*s%s", number->grouped ? "#,##0" : "0",
             number->decimals ? "." : "", (int) number->decimals, "0000000000",
             dress->percent ? "%" : "");
    if (*money && dress->currency_after)
        snprintf(body, sizeof body, "%s\"%s%s\"", digits, apart, money);
    else if (*money)
        snprintf(body, sizeof body, "\"%s%s\"%s", money, apart, digits);
    else
        snprintf(body, sizeof body, "%s", digits);
    if (*dress->mark && strlen(body) + sizeof dress->mark + 2 < VALUE_FORMAT)
        snprintf(body + strlen(body), sizeof body - strlen(body), "\"%s\"", dress->mark);
    if (dress->brackets && 2 * strlen(body) + 4 < VALUE_FORMAT)
        snprintf(out, VALUE_FORMAT, "%s;(%s)", body, body);
    else
        snprintf(out, VALUE_FORMAT, "%s", body);
    if (strcmp(out, "0") == 0)
        *out = '\0';
}

/* Days from 1899-12-30 to a day of the Gregorian calendar (Richards' algorithm); 0: there is no
 * such day, or workbooks cannot represent it. */
static int serial_of(int year, int month, int day)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int a = (14 - month) / 12, y = year + 4800 - a, m = month + 12 * a - 3;

    if (year < 1901 || year > 9999 || month < 1 || month > 12 || day < 1 ||
        day > lengths[month - 1] + (month == 2 && leap))
        return 0;
    return day + (153 * m + 2) / 5 + 365 * y + y / 4 - y / 100 + y / 400 - 32045 - 2415019;
}

/* Reads three numbers with one of ". / -" between them, and the number of digits of each. */
static bool read_parts(const struct text *text, int parts[3], int lengths[3], char *divider)
{
    size_t at = 0;

    *divider = '\0';
    for (int i = 0; i < 3; i++) {
        parts[i] = lengths[i] = 0;
        for (; at < text->n && isdigit((unsigned char) text->at[at]) && lengths[i] < 5; at++) {
            parts[i] = parts[i] * 10 + text->at[at] - '0';
            lengths[i]++;
        }
        if (lengths[i] == 0 || lengths[i] > 4)
            return false;
        if (i == 2)
            break;
        if (at >= text->n || !strchr("./-", text->at[at]) || (*divider && text->at[at] != *divider))
            return false;
        *divider = text->at[at++];
        while (*divider == '.' && at < text->n && text->at[at] == ' ')
            at++;
    }
    return at == text->n;
}

static bool is_year(int value, int length)
{
    return length == 4 || (length == 2 && value >= 0);
}

static int full_year(int value, int length)
{
    return length == 4 ? value : value + (value < CENTURY ? 2000 : 1900);
}

static void put_date(struct value *value, int serial, const char *format)
{
    *value = (struct value){ .kind = VALUE_DATE, .number = serial };
    snprintf(value->format, sizeof value->format, "%s", format);
}

static bool read_numeric_date(const struct text *text, const struct value_usage *usage,
                              struct value *value)
{
    int parts[3], lengths[3], serial;
    char divider, format[24];
    bool day_first;

    if (!read_parts(text, parts, lengths, &divider))
        return false;
    if (lengths[0] == 4 && lengths[1] == 2 && lengths[2] == 2) {
        serial = serial_of(parts[0], parts[1], parts[2]);
        snprintf(format, sizeof format, "yyyy%cmm%cdd", divider, divider);
        put_date(value, serial, format);
        return serial > 0;
    }
    if (lengths[0] > 2 || lengths[1] > 2 || !is_year(parts[2], lengths[2]))
        return false;
    /* Points are used between the parts only where the day comes first. */
    day_first = divider == '.' || usage->day_first > usage->month_first;
    if (!day_first && usage->month_first == 0 && parts[0] <= 12 && parts[1] <= 12 &&
        parts[0] != parts[1])
        return false; /* 3/4/2024 is ambiguous */
    if (lengths[2] == 2 && divider != '.' && usage->day_first == usage->month_first)
        return false; /* 10-11-12 */
    if (!day_first && usage->month_first == 0 && parts[0] > 12)
        day_first = true;
    serial = day_first ? serial_of(full_year(parts[2], lengths[2]), parts[1], parts[0])
                       : serial_of(full_year(parts[2], lengths[2]), parts[0], parts[1]);
    snprintf(format, sizeof format, "%s%c%s%c%s", day_first ? "dd" : "mm", divider,
             day_first ? "mm" : "dd", divider, lengths[2] == 4 ? "yyyy" : "yy");
    put_date(value, serial, format);
    return serial > 0;
}

/* Beginnings of the names of the months in English, German, French, Spanish, Portuguese and
 * Italian, so that abbreviations match, too. */
static const char *const months[12][9] = {
    { "jan", "ene", "gen", "j\xc3\xa4n" },
    { "feb", "f\xc3\xa9v", "fev" },
    { "mar", "m\xc3\xa4r", "mrz" },
    { "apr", "avr", "abr" },
    { "may", "mai", "mag" },
    { "jun", "juin", "giu" },
    { "jul", "juil", "lug" },
    { "aug", "ao\xc3\xbb", "ago" },
    { "sep", "set" },
    { "oct", "okt", "out", "ott" },
    { "nov" },
    { "dec", "dez",
      "d\xc3\xa9"
      "c",
      "dic" },
};

static int month_of(const char *word, size_t n)
{
    for (int m = 0; m < 12; m++)
        for (size_t i = 0; i < COUNT(months[m]) && months[m][i]; i++)
            if (n >= strlen(months[m][i]) &&
                strncasecmp(word, months[m][i], strlen(months[m][i])) == 0)
                return m + 1;
    return 0;
}

/* Reads "3 March 2024", "3. März 2024" or "March 3, 2024". */
static bool read_named_date(const struct text *text, struct value *value)
{
    char copy[MOST_TEXT + 1], *save = NULL;
    const char *words[4];
    int n = 0, month, serial;
    int64_t day, year;
    bool month_first;

    snprintf(copy, sizeof copy, "%.*s", (int) text->n, text->at);
    for (char *word = strtok_r(copy, " .,", &save); word; word = strtok_r(NULL, " .,", &save)) {
        if (strcmp(word, "de") == 0)
            continue;
        if (n == 3)
            return false;
        words[n++] = word;
    }
    if (n != 3 || !num_parse_i64(words[2], strlen(words[2]), 1000, 9999, &year))
        return false;
    month_first = isalpha((unsigned char) *words[0]);
    month = month_of(words[!month_first], strlen(words[!month_first]));
    if (month == 0 || !num_parse_i64(words[month_first], strlen(words[month_first]), 1, 31, &day))
        return false;
    serial = serial_of((int) year, month, (int) day);
    put_date(value, serial, month_first ? "mmmm d, yyyy" : "d mmmm yyyy");
    return serial > 0;
}

void value_learn(struct value_usage *usage, const char *text, size_t n)
{
    struct text rest = { text, n };
    struct dress dress;
    struct digits digits;
    int parts[3], lengths[3];
    char divider;

    if (n > MOST_TEXT)
        return;
    undress(&rest, &dress);
    if (rest.n && read_parts(&rest, parts, lengths, &divider) && divider != '.' &&
        lengths[0] <= 2 && lengths[1] <= 2) {
        usage->day_first += parts[0] > 12 && parts[1] <= 12;
        usage->month_first += parts[1] > 12 && parts[0] <= 12;
        return;
    }
    if (rest.n && read_digits(rest, &digits)) {
        char decimal = decimal_of(&digits);

        usage->point_decimals += decimal == '.';
        usage->comma_decimals += decimal == ',';
    }
}

struct value value_read(const char *text, size_t n, const struct value_usage *usage,
                        const char *language, bool in_numbers)
{
    struct value value = { .kind = VALUE_TEXT };
    struct text rest = { text, n };
    struct dress dress;
    struct number number;

    trim_text(&rest);
    if (rest.n == 0 || rest.n > MOST_TEXT)
        return value;
    if (read_numeric_date(&rest, usage, &value) || read_named_date(&rest, &value))
        return value;
    value = (struct value){ .kind = VALUE_TEXT };
    undress(&rest, &dress);
    if (rest.n == 0 || !read_cell_number(rest, has_comma_decimals(usage, language),
                                         dress.currency != NULL, &number))
        return value;
    /* "(3)" alone is the mark of a note, or a label. */
    if (dress.brackets && (dress.negative || (!in_numbers && number.decimals == 0 &&
                                              !number.grouped && !dress.currency)))
        return value;
    value.kind = VALUE_NUMBER;
    value.number = dress.negative || dress.brackets ? -number.value : number.value;
    if (dress.percent)
        value.number /= 100;
    put_format(&number, &dress, value.format);
    return value;
}
