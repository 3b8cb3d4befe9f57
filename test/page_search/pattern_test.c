/* Tests of declare/value/pattern and engine/page_search/pattern_match. */
#include "engine/page_search/pattern_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "tap.h"

static void refuses(const char *text, const char *message)
{
    AUTO_PATTERN struct pattern pattern = { 0 };
    struct err err = { 0 };

    ok(pattern_compile(&pattern, "pattern", text, strlen(text), false, &err) < 0 &&
           err.code == ERR_INVALID_PARAMETER && strcmp(err.field, "pattern") == 0,
       "refused: %s", text);
    is_str(err.msg, message, "the message says what is wrong, and where");
}

static size_t decode(const char *text, uint32_t *out)
{
    size_t n = 0;

    for (size_t at = 0, length = strlen(text); at < length;)
        out[n++] = utf8_next(text, length, &at);
    return n;
}

/* The matches of a pattern, written "0-3 5-6". */
static void finds(const char *text, const char *searched, const char *wanted, bool any_case)
{
    AUTO_PATTERN struct pattern pattern = { 0 };
    struct pattern_match match;
    uint32_t codes[200];
    struct pattern_text in = { .codes = codes, .n = decode(searched, codes) };
    struct err err = { 0 };
    char got[200] = "";
    size_t n = 0;

    ok(pattern_compile(&pattern, "pattern", text, strlen(text), any_case, &err) == 0 &&
           pattern_match_open(&match, &pattern, &err) == 0,
       "compiled: %s", text);
    for (size_t from = 0, begin, end; pattern_match_find(&match, &in, from, &begin, &end);
         from = end)
        n += (size_t) snprintf(got + n, sizeof got - n, "%s%zu-%zu", n ? " " : "", begin, end);
    is_str(got, wanted, "its matches are found");
    pattern_match_close(&match);
}

static void what_matches(void)
{
    finds("ab", "xabyab", "1-3 4-6", false);
    finds("a|bc|d", "abcd", "0-1 1-3 3-4", false);
    finds("a*", "baac", "1-3", false);
    finds("a+?", "aa", "0-1 1-2", false);
    finds("(ab){2,3}", "abababab", "0-6", false);
    finds("a{2}", "aaaaa", "0-2 2-4", false);
    finds("xa{0,2}y", "xy xay xaay xaaay", "0-2 3-6 7-11", false);
    finds("a{2,}", "a aa aaa", "2-4 5-8", false);
    finds("[a-c]+[^0-9]", "abcd1", "0-4", false);
    finds("\\d{3}-\\d+", "12-3 123-45", "5-11", false);
    finds("\\bcat\\b", "cat concat cat", "0-3 11-14", false);
    finds("\\Bcat", "concat cat", "3-6", false);
    finds("(?i:A)b", "ab Ab AB", "0-2 3-5", false);
    finds("stra\xc3\x9f", "STRA\xe1\xba\x9e", "0-5", true);
    finds("\\p{Lu}\\p{Ll}+", "\xc3\x84rger und Hund", "0-5 10-14", false);
    finds("\\P{L}+", "a12b", "1-3", false);
    finds("[\\w.]+@\\w+", "mail a.b@c now", "5-10", false);
    finds("\\x41\\x{42}\\.", "AB.", "0-3", false);
    finds("\\Qa.b\\E", "axb a.b", "4-7", false);
    finds("(?:a|ab)(?:c|bcd)(d*)", "abcd", "0-4", false);
    finds("(a*)*", "aab", "0-2", false);
    finds("(?P<n>x)y", "xy", "0-2", false);
    finds("[[:digit:]]]", "1]", "0-2", false);
    finds("a{,2}", "a{,2}", "0-5", false);
    finds("^a$", "a", "0-1", false);
    finds(".", "ab", "0-1 1-2", false);
}

static void what_is_refused(void)
{
    refuses("a(b", "pattern: ) is missing for the ( at character 2");
    refuses("a)b", "pattern: ( is missing for the ) at character 2");
    refuses("\xc3\xa4[b", "pattern: ] is missing for the [ at character 2");
    refuses("(?=a)", "pattern: lookaround cannot be used: at character 1");
    refuses("a(?<!b)", "pattern: lookaround cannot be used: at character 2");
    refuses("(a)\\1", "pattern: backreferences cannot be used: at character 4");
    refuses("*a", "pattern: there is nothing to repeat at character 1");
    refuses("a{1001}", "pattern: at most 1000 repetitions are possible: at character 2");
    refuses("a{3,2}", "pattern: the numbers of repetitions run backwards at character 2");
    refuses("[z-a]", "pattern: a range of characters runs backwards at character 2");
    refuses("\\p{Xy}", "pattern: \\p names no general category, such as L or Lu, at character 3");
    refuses("a\\", "pattern: nothing follows the backslash at character 2");
    refuses("((a{100}){100}){100}",
            "pattern: the pattern is too long, or repeats too much, at character 15");
}

/* What takes other engines time that doubles with each character. */
static void takes_linear_time(void)
{
    const char *text = "(a*)*(a|a)*(a+)+b";
    AUTO_PATTERN struct pattern pattern = { 0 };
    struct pattern_match match;
    size_t n = 200000, begin, end;
    uint32_t *codes = calloc(n, sizeof *codes);
    struct pattern_text in = { .codes = codes, .n = n };
    struct err err = { 0 };

    for (size_t i = 0; codes && i < n; i++)
        codes[i] = 'a';
    ok(codes && pattern_compile(&pattern, "pattern", text, strlen(text), false, &err) == 0 &&
           pattern_match_open(&match, &pattern, &err) == 0,
       "a pattern that other engines cannot end is compiled");
    ok(!pattern_match_find(&match, &in, 0, &begin, &end), "and ends");
    pattern_match_close(&match);
    free(codes);
}

int main(void)
{
    what_matches();
    what_is_refused();
    takes_linear_time();
    return done_testing();
}
