/* tests of pdf_syntax/syntax and dict: whatever is read, what is written is the syntax of an
 * object. */
#include "syntax/pdf/syntax.h"

#include "syntax/pdf/dict.h"
#include "tap.h"

static struct buf got;
static bool mended;

static const char *clean_n(const void *text, size_t n)
{
    struct syntax s = { .data = text, .n = n };

    buf_free(&got);
    if (!syntax_read(&s, &got))
        return "nothing";
    mended = s.mended;
    return buf_text(&got);
}

static const char *clean(const char *text)
{
    return clean_n(text, strlen(text));
}

static void sound_objects(void)
{
    is_str(clean("  % note\n<</Type/Page /N -1.5/R 12 3 R>>"), "<</Type /Page /N -1.5 /R 12 0 R >>",
           "a dictionary is read, and generations of references become 0");
    ok(!mended, "a sound dictionary is not reported as mended");
    is_str(clean("[1 0 R (a(b)\\)c) <0a0B> true null/N#20x]"),
           "[1 0 R (a(b)\\)c) <0a0B> true null /N#20x ]",
           "an array of all types of objects is read");
    is_str(clean("endobj"), "nothing", "a keyword is not an object");
    is_str(clean(""), "nothing", "an empty text is not an object");
}

static void damaged_objects(void)
{
    is_str(clean("<</A 1/B"), "<</A 1 /B null >>", "what is cut off is closed");
    ok(mended, "a dictionary that was closed is reported as mended");
    is_str(clean("<</A [1 2 /B 3>>"), "<</A [1 2 /B 3 ] >>", "an array ends with its dictionary");
    is_str(clean("<</A 1 junk /B 2>>"), "<</A 1 /B 2 >>", "words that mean nothing are left out");
    is_str(clean("<</A 5 0 obj <<>>"), "<</A null >>", "the next object's header ends this one");
    is_str(clean("(open\n/B 2"), "(open)", "a string without an end ends with its line");
    is_str(clean("1-2.3.4"), "1", "a number that is none is what it began with");
    is_str(clean_n("/A\xff", 3), "/A#FF", "odd bytes of names are written as hex");
    is_str(clean("--5"), "-5", "a sign said twice is said once");
    ok(mended, "a number with two signs is reported as mended");
    is_str(clean("-"), "0", "a sign alone is nothing");
    is_str(clean("9223372036854775808"), "9223372036854775808.",
           "an integer beyond 64 bits is a real number, which all can read");
    is_str(clean("-99999999999999999"), "-99999999999999999",
           "an integer within 64 bits stays an integer");
    is_str(clean("/A#v#4#00#41"), "/A_v_4_00#41", "a number sign that begins no code is not kept");
    ok(mended, "a number sign that begins no code is reported as mended");
}

static void deep(void)
{
    static char text[100000];
    const char *at;
    int depth = 0, most = 0;

    memset(text, '[', sizeof text);
    for (at = clean_n(text, sizeof text); *at; at++) {
        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
        most = depth > most ? depth : most;
    }
    ok(most > 100 && most <= SYNTAX_DEPTH + 1 && depth == 0,
       "arrays that are nested too deep end at SYNTAX_DEPTH");
    ok(got.len < 10 * (size_t) most, "arrays that are nested too deep do not become a long list");
    for (size_t i = 0; i + 3 < sizeof text; i += 3)
        memcpy(text + i, "<</", 3);
    ok(*clean_n(text, sizeof text) == '<', "dictionaries that are nested too deep end, too");
}

static void dictionaries(void)
{
    static const char *const without[] = { "/B", NULL };
    struct text dict = { "<</A <</B 1 >> /B [7 0 R ] /C 9 0 R >>", 38 };
    struct buf out = BUF_EMPTY;
    uint64_t number;

    ok(dict_has(dict, "/B") && !dict_has(dict, "/D"), "keys are found at the top level");
    ok(text_is(dict_find(dict, "/B"), "[7 0 R ]"),
       "keys are found with their own values, not those of nested dictionaries");
    is_int(dict_ref(dict, "/C"), 9, "a reference gives its number");
    is_int(dict_ref(dict, "/A"), 0, "anything else gives none");
    ok(dict_number(dict_find(dict, "/A"), "/B", &number) && number == 1,
       "the number of a key is read");
    dict_write(&out, dict, without, (struct text){ "/E 1", 4 });
    is_str(buf_text(&out), "<</A <</B 1 >> /C 9 0 R /E 1>>",
           "a dictionary is written without some keys, and with others");
    buf_free(&out);
}

int main(void)
{
    sound_objects();
    damaged_objects();
    deep();
    dictionaries();
    buf_free(&got);
    return done_testing();
}
