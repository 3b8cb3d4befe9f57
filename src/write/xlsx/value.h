/*
 * value: the type of a cell's text: a number, a date, an amount of money, a percentage, or text.
 * Ambiguous texts stay text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum value_kind { VALUE_TEXT, VALUE_NUMBER, VALUE_DATE };

#define VALUE_FORMAT 64 /* room for a number format with its NUL */

struct value {
    enum value_kind kind;
    double number;             /* of a date: days since 1899-12-30, as in workbooks */
    char format[VALUE_FORMAT]; /* number format (ECMA-376, Part 1, 18.8.31); "" for General */
};

/*
 * The notation of numbers and dates in a document, as learnt from its texts. Points and commas mean
 * different things in different countries: "1.234" is a thousand or one, and only other numbers
 * show which. Zero it, then learn from all texts.
 */
struct value_usage {
    /* number of texts with an unambiguous decimal point or comma */
    size_t point_decimals, comma_decimals;
    size_t day_first, month_first;
};

/* Learns from one text of the document, which may be of any type. */
void value_learn(struct value_usage *usage, const char *text, size_t n);
/*
 * Reads a text of n bytes. `usage`: learnt from the document; `language`: the document's, a BCP 47
 * tag or "", which is used if `usage` does not show the notation. `in_numbers`: most of the column
 * are numbers, so that "(3)" is -3 and not a label.
 */
struct value value_read(const char *text, size_t n, const struct value_usage *usage,
                        const char *language, bool in_numbers);
