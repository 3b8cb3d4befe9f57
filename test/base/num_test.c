#include "base/num.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static int64_t whole;
static double real;

static bool i64(const char *text)
{
    return num_parse_i64(text, strlen(text), INT64_MIN, INT64_MAX, &whole);
}

static bool dbl(const char *text)
{
    return num_parse_double(text, strlen(text), -1e9, 1e9, &real);
}

int main(void)
{
    ok(i64("42") && whole == 42, "a whole number is parsed");
    ok(i64("-9223372036854775808") && whole == INT64_MIN, "the smallest int64_t is parsed");
    ok(i64("9223372036854775807") && whole == INT64_MAX, "the largest int64_t is parsed");
    ok(!i64("9223372036854775808") && !i64("99999999999999999999"), "overflow is refused");
    ok(!i64("") && !i64("-") && !i64(" 1") && !i64("1 ") && !i64("+1") && !i64("0x1") &&
           !i64("1.0"),
       "texts that are not exactly a number are refused");
    ok(!num_parse_i64("5", 1, 6, 7, &whole) && !num_parse_i64("8", 1, 6, 7, &whole),
       "a number out of its limits is refused");
    ok(dbl("0.25") && real == 0.25, "a fraction is parsed");
    ok(dbl("1e-3") && real == 0.001, "an exponent is parsed");
    ok(!dbl("nan") && !dbl("inf") && !dbl("0x10") && !dbl("1e999") && !dbl("") && !dbl("1,5"),
       "NaN, infinity, hexadecimal numbers and commas are refused");
    char *bare = malloc(3); /* with nothing behind that may be read */
    memcpy(bare, ".25", 3);
    ok(num_parse_double(bare, 3, 0, 1, &real) && real == 0.25,
       "a number is parsed from a text without a NUL");
    free(bare);
    ok(num_hex_digit('0') == 0 && num_hex_digit('a') == 10 && num_hex_digit('F') == 15,
       "hexadecimal digits of either case are accepted");
    ok(num_hex_digit('g') < 0 && num_hex_digit('/') < 0 && num_hex_digit(0) < 0,
       "other characters are not hexadecimal digits");
    size_t n;
    ok(!num_add((size_t) -1, 1, &n) && !num_mul((size_t) -1, 2, &n),
       "sums and products of sizes that overflow are refused");
    return done_testing();
}
