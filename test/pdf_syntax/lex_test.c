/* Tests of pdf_syntax/lex: tokens, their extents and values, and what damaged ones are read as. */
#include "syntax/pdf/lex.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "syntax/pdf/literal.h"
#include "tap.h"

static const char *const kinds[] = { "number", "word", "name", "string", "hex",
                                     "[",      "]",    "<<",   ">>",     "stray" };

static struct lex begin(const char *text)
{
    const unsigned char *at = (const unsigned char *) text;

    return (struct lex){ at, at + strlen(text) };
}

/* Whether the tokens of `text` are these: "kind:text ", with "!" after damaged ones. */
static void tokens(const char *text, const char *want, const char *sentence)
{
    struct lex lex = begin(text);
    struct lex_token token;
    char got[300] = "";
    size_t n = 0;

    while (lex_next(&lex, &token) && n < sizeof got)
        n += (size_t) snprintf(got + n, sizeof got - n, "%s%s%s%.*s%s", n ? " " : "",
                               kinds[token.kind], token.kind < LEX_ARRAY_BEGIN ? ":" : "",
                               token.kind < LEX_ARRAY_BEGIN ? (int) token.n : 0,
                               (const char *) token.at, token.damaged ? "!" : "");
    is_str(got, want, "%s", sentence);
}

static void test_tokens(void)
{
    tokens(" \t% a comment\r\n%another\n x", "word:x", "white space and comments are skipped");
    tokens("% to the end", "", "a comment may have no end");
    tokens("/F1 12 Tf(a)Tj", "name:/F1 number:12 word:Tf string:(a) word:Tj",
           "delimiters separate tokens");
    tokens("-1 +.5 . 12a -", "number:-1 number:+.5 number:. number:12a number:-",
           "what begins like a number is one");
    tokens("[<41 4>/A]<</B null>>", "[ hex:<41 4> name:/A ] << name:/B word:null >>",
           "arrays and dictionaries have two delimiters");
    tokens("//A", "name:/ name:/A", "a name may be empty");
    tokens("(a(b)c) (a\\)b\\\\)(\\()", "string:(a(b)c) string:(a\\)b\\\\) string:(\\()",
           "parentheses in strings are counted, but not escaped ones");
    tokens("(abc", "string:(abc!", "a string without an end reaches to the end of the input");
    tokens("(abc\\", "string:(abc\\!", "so does one that ends in a backslash");
    tokens("<41", "hex:<41!", "and a hexadecimal one");
    tokens("<4g> x", "hex:<4g>! word:x", "a hexadecimal string with other bytes is damaged");
    tokens(") > { x }", "stray! stray! stray! word:x stray!", "other delimiters are out of place");
}

static void test_classes(void)
{
    for (int c = 0; c < 256; c++) {
        bool space = c == 0 || (c >= 9 && c <= 13 && c != 11) || c == 32;
        bool delimiter = c && strchr("()<>[]{}/%", c);

        if (lex_is_space(c) != space || lex_is_regular(c) != (!space && !delimiter))
            ok(false, "byte %d is of its class", c);
    }
    ok(lex_is_regular((char) 0xe9) && !lex_is_space((char) 0x80), "a signed byte has its class");
}

static struct lex_token first(const char *text)
{
    struct lex lex = begin(text);
    struct lex_token token = { 0 };

    lex_next(&lex, &token);
    return token;
}

static void decodes(const char *text, const char *want, const char *sentence)
{
    struct lex_token token = first(text);
    char got[40] = "";
    size_t n = token.kind == LEX_NAME ? lex_name(&token, got) : lex_string(&token, got);

    got[n] = '\0';
    is_str(got, want, "%s", sentence);
}

static void test_texts(void)
{
    decodes("/A#42#4#zz#4", "/AB#4#zz#4", "a number sign and two digits are one byte of a name");
    decodes("/A#2fB/C", "/A/B", "whatever it is");
    decodes("(a\\n\\(\\)\\\\\\x(b))", "a\n()\\x(b)", "escapes are resolved");
    decodes("(\\101\\1012\\7\\400.)", "AA2\7", "so are octal codes, of up to three digits");
    decodes("(a\\\nb\\\r\nc\\\rd)", "abcd", "a backslash at the end of a line joins lines");
    decodes("(a\rb\r\nc)", "a\rb\r\nc", "bytes of line ends are kept");
    decodes("(a\\", "a\\", "a backslash before the end of the input is kept");
    decodes("<4 1\n4>", "A@", "a hexadecimal digit that is missing is 0");
    decodes("<4g1z42", "AB", "other bytes between them are skipped");
}

/* All bytes, written and read again. */
static void test_written(void)
{
    AUTO_BUF struct buf literal = BUF_EMPTY, hex = BUF_EMPTY;
    char bytes[256], got[600];

    for (int i = 0; i < 256; i++)
        bytes[i] = (char) (i ^ '('); /* parentheses without a partner */
    literal_put(&literal, bytes, sizeof bytes);
    literal_put_hex(&hex, bytes, sizeof bytes);
    for (const struct buf *out = &literal; out; out = out == &literal ? &hex : NULL) {
        struct lex lex = { (const unsigned char *) out->data,
                           (const unsigned char *) out->data + out->len };
        struct lex_token token = { 0 };

        ok(lex_next(&lex, &token) && lex.at == lex.end && !token.damaged &&
               lex_string(&token, got) == sizeof bytes && memcmp(got, bytes, sizeof bytes) == 0,
           "a string is read as it was written");
    }
    ok(literal.len == 256 + 6 && hex.len == 514, "and has no needless escapes");
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        double value;
        int decimals;
    } cases[] = {
        { "12", 12, 0 },   { "-0.25", -.25, 2 }, { "+.5", .5, 1 },     { "4.", 4, 0 },
        { "--5", -5, -1 }, { "1.2.3", 1.2, -1 }, { "0.0-5", .05, -1 }, { "3-5", 3, -1 },
        { "-", 0, -1 },    { ".", 0, -1 },       { "1e3", 1, -1 },     { "100.10", 100.1, 2 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct lex_token token = first(cases[i].text);
        int decimals = 99;
        double value = lex_number(&token, &decimals) - cases[i].value;

        ok(value < 1e-12 && value > -1e-12 && decimals == cases[i].decimals, "the value of %s",
           cases[i].text);
    }
    char many[2000];
    struct lex_token token;

    memset(many, '9', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    token = first(many);
    ok(lex_number(&token, NULL) < 1e300, "a number of any length has a value");
}

static void test_words(void)
{
    struct lex_token token = first("scn ");

    ok(lex_is(&token, "scn") && !lex_is(&token, "sc") && !lex_is(&token, "scn "),
       "a token is compared as a whole");
    ok(lex_is_operator(&token), "an operator is known");
    for (const char *const *no = (const char *const[]){ "TB", "BI", "X", "scnx", "/q", NULL }; *no;
         no++) {
        token = first(*no);
        ok(!lex_is_operator(&token), "%s is not one", *no);
    }
    token = first("true");
    ok(lex_is_constant(&token), "true is a constant");
    token = first("/true");
    ok(!lex_is_constant(&token), "but not as a name");
}

static void image(const char *text, bool ends, const char *want, const char *sentence)
{
    struct lex lex = begin(text);
    struct lex_token id, data;
    char got[40];

    lex_next(&lex, &id);
    is_int(lex_image(&lex, &data), ends, "%s: whether it ends", sentence);
    is_int(data.damaged, !ends, "%s: whether it is damaged", sentence);
    snprintf(got, sizeof got, "%.*s|%.*s", (int) data.n, (const char *) data.at,
             (int) (lex.end - lex.at), (const char *) lex.at);
    is_str(got, want, "%s", sentence);
}

static void test_images(void)
{
    image("ID ab\nEI Q", true, "ab\n| Q", "data ends before EI");
    image("ID EI Q", true, "| Q", "there may be none");
    image("ID aEI EI\x80 EI\nQ", true, "aEI EI\x80 |\nQ", "data may have the same letters");
    image("ID a EIQ EI \1 EI", true, "a EIQ EI \1 |", "even before what is not an operator");
    image("ID ab", false, "ab|", "an image without EI reaches to the end");
    image("ID", false, "|", "so does one without data");
}

int main(void)
{
    test_tokens();
    test_classes();
    test_texts();
    test_written();
    test_numbers();
    test_words();
    test_images();
    return done_testing();
}
