/*
 * value: what the text of a cell means: a number, a date, an amount of money, a percentage, or just
 * a text. What is not sure stays text, as it was printed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum value_kind { VALUE_TEXT, VALUE_NUMBER, VALUE_DATE };

#define VALUE_FORMAT 64 /* bytes of a number format, with its NUL */

struct value {
    enum value_kind kind;
    double number;             /* of a date: days since 1899-12-30, as workbooks count them */
    char format[VALUE_FORMAT]; /* number format (ECMA-376, Part 1, 18.8.31); "" for General */
};

/*
 * How numbers and dates are written in a document, as far as its texts say so. Points and commas
 * mean different things in different countries: "1.234" is a thousand or one, and only other
 * numbers tell. Zero it, then let it learn from all texts.
 */
struct value_usage {
    size_t point_decimals, comma_decimals; /* texts that can only be read so */
    size_t day_first, month_first;
};

void value_learn(struct value_usage *usage, const char *text, size_t n);
/*
 * `usage`: what the texts around say; `language`: the document's, a BCP 47 tag or "", asked where
 * these say nothing. `in_numbers`: most of the column are numbers, so that "(3)" is -3 and no
 * label.
 */
struct value value_read(const char *text, size_t n, const struct value_usage *usage,
                        const char *language, bool in_numbers);
