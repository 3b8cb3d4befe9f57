/* value: what the text of a cell means. */
#include "write/xlsx/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

static struct value read_by(const char *text, const char *other, const char *language)
{
    struct value_usage usage = { 0 };

    value_learn(&usage, text, strlen(text));
    value_learn(&usage, other, strlen(other));
    return value_read(text, strlen(text), &usage, language, true);
}

static bool is_value(struct value value, enum value_kind kind, double number, const char *format)
{
    return value.kind == kind && fabs(value.number - number) < 1e-9 &&
           strcmp(value.format, format) == 0;
}

static bool is_number(const char *text, double number, const char *format)
{
    return is_value(read_by(text, "", "en"), VALUE_NUMBER, number, format);
}

static bool is_text(const char *text)
{
    return read_by(text, "", "en").kind == VALUE_TEXT;
}

static void test_numbers(void)
{
    ok(is_number("0", 0, "") && is_number("42", 42, ""), "digits are a number");
    ok(is_number("1,234,567.80", 1234567.8, "#,##0.00"), "with groups and decimals");
    ok(is_number("1 234 567", 1234567, "#,##0"), "blanks divide groups");
    ok(is_number("1\xe2\x80\xaf"
                 "234,5",
                 1234.5, "#,##0.0"),
       "narrow ones, too");
    ok(is_number("1'234.50", 1234.5, "#,##0.00"), "and apostrophes");
    ok(is_number("-3", -3, "") &&
           is_number("\xe2\x88\x92"
                     "3",
                     -3, "") &&
           is_number("3-", -3, ""),
       "a minus of any form, before or after");
    ok(is_number("(3.5)", -3.5, "0.0;(0.0)"), "brackets are a minus");
    ok(is_number("12.5 %", 0.125, "0.0%"), "percent");
    ok(is_number("$1,000", 1000, "\"$\"#,##0") && is_number("5 EUR", 5, "0\" EUR\""),
       "amounts of money keep their sign and its place");
    ok(is_number("US$ 5", 5, "\"US$ \"0"), "which may be several letters");
    ok(is_number("12,34,567", 1234567, "#,##0"), "groups of two as in India");
}

static void test_separators(void)
{
    ok(is_value(read_by("1.234", "", "en"), VALUE_NUMBER, 1.234, "0.000"),
       "a point is a decimal sign in English");
    ok(is_value(read_by("1.234", "", "de"), VALUE_NUMBER, 1234, "#,##0"),
       "and divides groups in German");
    ok(is_value(read_by("1.234", "0,5", "en"), VALUE_NUMBER, 1234, "#,##0"),
       "unless other numbers tell otherwise");
    ok(is_value(read_by("1,234", "7.25", "de"), VALUE_NUMBER, 1234, "#,##0"), "either way");
}

static void test_texts(void)
{
    static const char *const texts[] = { "007",    "1.2.3",   "12 pieces", "1234567890123456",
                                         "",       "-",       "%",         "$",
                                         "1,23,4", "1 23",    "12:30",     "3/4/2024",
                                         "()",     "1,2.3,4", "1..2",      "2024-13-01",
                                         "1e5",    "0x10",    "nan",       "1,2345,678" };
    bool all = true;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!is_text(texts[i])) {
            all = false;
            printf("# %s\n", texts[i]);
        }
    ok(all, "what is not certain stays text");
    ok(value_read("(3)", 3, &(struct value_usage){ 0 }, "en", false).kind == VALUE_TEXT,
       "a number in brackets among texts is a label");
}

static void test_dates(void)
{
    ok(is_value(read_by("2024-02-29", "", ""), VALUE_DATE, 45351, "yyyy-mm-dd"),
       "a date of ISO 8601");
    ok(is_value(read_by("31.12.1999", "", ""), VALUE_DATE, 36525, "dd.mm.yyyy"),
       "one with points has its day first");
    ok(is_value(read_by("3/4/2024", "25/12/2024", ""), VALUE_DATE, 45385, "dd/mm/yyyy"),
       "others tell which is the day");
    ok(is_value(read_by("3/4/2024", "12/25/2024", ""), VALUE_DATE, 45355, "mm/dd/yyyy"),
       "and which is the month");
    ok(is_value(read_by("March 3, 2024", "", ""), VALUE_DATE, 45354, "mmmm d, yyyy") &&
           is_value(read_by("3. M\xc3\xa4rz 2024", "", ""), VALUE_DATE, 45354, "d mmmm yyyy"),
       "months have names in several languages");
    ok(is_text("30.02.2024") && is_text("1.1.1850"), "days that are none stay text");
}

int main(void)
{
    test_numbers();
    test_separators();
    test_texts();
    test_dates();
    return done_testing();
}
