#include "pdf/properties/pdf_date.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct date {
    int parts[6]; /* year to second */
    int n;        /* how many there are */
    char zone;    /* 'Z', '+', '-' or 0 */
    int hours, minutes;
};

static const int least[6] = { 0, 1, 1, 0, 0, 0 }, most[6] = { 9999, 12, 31, 23, 59, 59 };

/* Reads `digits` digits. */
static bool read_digits(const char **at, int digits, int *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++, ++*at) {
        if (**at < '0' || **at > '9')
            return false;
        *value = *value * 10 + (**at - '0');
    }
    return true;
}

/* The next part: a year has four digits, the others have two. */
static bool read_part(const char **at, struct date *date)
{
    int i = date->n++;

    return read_digits(at, i ? 2 : 4, &date->parts[i]);
}

static bool read_zone(const char *at, struct date *date)
{
    date->zone = *at;
    if (*at == '\0')
        return true;
    at++;
    if (date->zone == 'Z')
        return *at == '\0' || strcmp(at, "00'00'") == 0 || strcmp(at, "00'00") == 0;
    if (date->zone != '+' && date->zone != '-')
        return false;
    if (!read_digits(&at, 2, &date->hours) || date->hours > 23)
        return false;
    if (*at == '\'' || *at == ':')
        at++;
    if (*at == '\0')
        return true;
    if (!read_digits(&at, 2, &date->minutes) || date->minutes > 59)
        return false;
    return *at == '\0' || strcmp(at, "'") == 0;
}

static bool is_valid(const struct date *date)
{
    for (int i = 0; i < date->n; i++)
        if (date->parts[i] < least[i] || date->parts[i] > most[i])
            return false;
    return date->n > 0 && (date->zone == '\0' || date->n > 3);
}

bool pdf_date_to_iso(const char *text, char out[static PDF_DATE])
{
    struct date date = { 0 };
    const int *p = date.parts;
    int n;

    if (strncmp(text, "D:", 2) == 0)
        text += 2;
    while (date.n < 6 && *text >= '0' && *text <= '9')
        if (!read_part(&text, &date))
            return false;
    if (!read_zone(text, &date) || !is_valid(&date))
        return false;
    if (date.n < 4)
        n = snprintf(out, PDF_DATE,
                     date.n == 1   ? "%04d"
                     : date.n == 2 ? "%04d-%02d"
                                   : "%04d-%02d-%02d",
                     p[0], p[1], p[2]);
    else
        n = snprintf(out, PDF_DATE, "%04d-%02d-%02dT%02d:%02d:%02d", p[0], p[1], p[2], p[3], p[4],
                     p[5]);
    if (date.zone == 'Z')
        snprintf(out + n, (size_t) (PDF_DATE - n), "Z");
    else if (date.zone)
        snprintf(out + n, (size_t) (PDF_DATE - n), "%c%02d:%02d", date.zone, date.hours,
                 date.minutes);
    return true;
}

/* The parts of an ISO date, each after its divider. Decimals of seconds are dropped. */
static bool read_iso(const char *text, struct date *date)
{
    static const char dividers[6] = { 0, '-', '-', 'T', ':', ':' };

    while (date->n < 6) {
        if (date->n > 0 && *text != dividers[date->n] && !(date->n == 3 && *text == ' '))
            break;
        text += date->n > 0;
        if (!read_part(&text, date))
            return false;
    }
    if (date->n == 6 && *text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++)
            ;
    return date->n != 4 && read_zone(text, date) && is_valid(date);
}

bool pdf_date_from_iso(const char *text, char out[static PDF_DATE])
{
    struct date date = { 0 };
    int n;

    if (!read_iso(text, &date))
        return false;
    n = snprintf(out, PDF_DATE, "D:%04d", date.parts[0]);
    for (int i = 1; i < date.n; i++)
        n += snprintf(out + n, (size_t) (PDF_DATE - n), "%02d", date.parts[i]);
    if (date.n == 5) /* XMP has no time without seconds on the way back */
        n += snprintf(out + n, (size_t) (PDF_DATE - n), "00");
    if (date.zone == 'Z')
        snprintf(out + n, (size_t) (PDF_DATE - n), "Z");
    else if (date.zone)
        snprintf(out + n, (size_t) (PDF_DATE - n), "%c%02d'%02d'", date.zone, date.hours,
                 date.minutes);
    return true;
}
