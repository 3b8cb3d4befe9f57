#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "pdf/form_data/form_script.h"

#define MAX_DECIMALS 20
#define MOST         1e15 /* numbers above it are left as they are */

bool form_script_number(const char *value, double *number)
{
    char text[64];
    size_t n = 0;
    bool point = strchr(value, '.') != NULL;

    for (; *value; value++) {
        char c = *value == ',' && !point ? '.' : *value;

        if (c == ' ' || (*value == ',' && point))
            continue;
        if (n + 1 == sizeof text)
            return false;
        text[n++] = c;
    }
    return num_parse_double(text, n, -1e300, 1e300, number);
}

/* Digits with the separators of a style: 0: 1,234.56; 1: 1234.56; 2: 1.234,56; 3: 1234,56;
 * 4: 1'234.56. */
static void put_digits(double value, int decimals, int style, struct buf *out)
{
    static const char groups[] = { ',', 0, '.', 0, '\'' }, points[] = { '.', '.', ',', ',', '.' };
    char text[64];
    int at = style >= 0 && style <= 4 ? style : 1;
    size_t n, whole;

    decimals = decimals < 0 ? 0 : decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals;
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    n = strlen(text);
    whole = strcspn(text, ".");
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0 && groups[at])
            buf_putc(out, groups[at]);
        buf_putc(out, text[i] == '.' ? points[at] : text[i]);
    }
}

static void put_amount(const struct form_script *script, double value, struct buf *out)
{
    bool is_negative = value < 0 && fabs(value) * pow(10, script->decimals) >= 0.5;
    bool brackets = is_negative && script->negative >= 2;

    if (is_negative)
        buf_putc(out, brackets ? '(' : '-');
    if (script->currency_first)
        buf_puts(out, script->currency);
    put_digits(value, script->decimals, script->separators, out);
    if (!script->currency_first)
        buf_puts(out, script->currency);
    if (brackets)
        buf_putc(out, ')');
}

static bool put_percent(const struct form_script *script, double value, struct buf *out)
{
    if (value < 0)
        buf_putc(out, '-');
    if (script->currency_first)
        buf_putc(out, '%');
    put_digits(value * 100, script->decimals, script->separators, out);
    if (!script->currency_first)
        buf_putc(out, '%');
    return true;
}

struct date {
    int year, month, day;
};

/* A date as in ISO 8601: 2026-11-28. */
static bool read_date(const char *value, struct date *date)
{
    static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int end = 0;

    if (strlen(value) != 10 ||
        sscanf(value, "%4d-%2d-%2d%n", &date->year, &date->month, &date->day, &end) != 3 ||
        end != 10)
        return false;
    return date->year > 0 && date->month >= 1 && date->month <= 12 && date->day >= 1 &&
           date->day <= days[date->month - 1];
}

/* One part of a pattern: a letter, `n` times. */
static void put_date_part(char letter, size_t n, const struct date *date, struct buf *out)
{
    static const char *const months[] = { "January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December" };
    const char *month = months[date->month - 1];

    if (letter == 'd')
        buf_printf(out, n > 1 ? "%02d" : "%d", date->day);
    else if (letter == 'y')
        buf_printf(out, "%0*d", n > 2 ? 4 : 2, n > 2 ? date->year : date->year % 100);
    else if (n > 3)
        buf_puts(out, month);
    else if (n == 3)
        buf_put(out, month, 3);
    else
        buf_printf(out, n > 1 ? "%02d" : "%d", date->month);
}

static bool put_date(const char *pattern, const char *value, struct buf *out)
{
    struct date date;

    if (!read_date(value, &date) || strspn(pattern, "dmy .,/-") != strlen(pattern))
        return false;
    while (*pattern) {
        size_t n = 1;

        if (!strchr("dmy", *pattern)) {
            buf_putc(out, *pattern++);
            continue;
        }
        while (pattern[n] == *pattern)
            n++;
        put_date_part(*pattern, n, &date, out);
        pattern += n;
    }
    return true;
}

/* Digits in the places of a pattern. */
static bool put_special(int special, const char *value, struct buf *out)
{
    static const char *const patterns[] = { "#####", "#####-####", "(###) ###-####",
                                            "###-##-####" };
    char digits[16];
    size_t n = 0, wanted = 0, at = 0;

    for (; *value; value++) {
        if (*value < '0' || *value > '9')
            continue;
        if (n == sizeof digits)
            return false;
        digits[n++] = *value;
    }
    for (const char *c = patterns[special]; *c; c++)
        wanted += *c == '#';
    if (n != wanted)
        return false;
    for (const char *c = patterns[special]; *c; c++)
        buf_putc(out, *c == '#' ? digits[at++] : *c);
    return true;
}

bool form_script_format(const struct form_script *script, const char *value, struct buf *out)
{
    double number;

    switch (script->kind) {
    case FORM_SCRIPT_NUMBER:
        if (!form_script_number(value, &number) || fabs(number) > MOST)
            return false;
        put_amount(script, number, out);
        return true;
    case FORM_SCRIPT_PERCENT:
        return form_script_number(value, &number) && fabs(number) < MOST &&
               put_percent(script, number, out);
    case FORM_SCRIPT_DATE:
        return put_date(script->pattern, value, out);
    case FORM_SCRIPT_SPECIAL:
        return put_special(script->special, value, out);
    case FORM_SCRIPT_NONE:
    case FORM_SCRIPT_CALCULATION:
    case FORM_SCRIPT_OTHER:
        break;
    }
    return false;
}
