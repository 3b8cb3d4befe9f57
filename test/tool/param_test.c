#include "declare/tool/param.h"

#include <math.h>
#include <stdlib.h>

#include "sample.h"
#include "tap.h"

static struct sample out;

/* What is wrong with "fit=page" and this, or "accepted". */
static const char *parse(const char *name, const char *value)
{
    static struct err err;
    struct param_input in[] = { { "fit", "page" }, { name, value } };

    out = (struct sample){ 0 };
    return param_fill(sample_params, COUNT(sample_params), in, 2, &out, &err) < 0 ? err.msg
                                                                                  : "accepted";
}

static const char *kept(const char *name, const char *value)
{
    static char text[200];
    char *canonical = NULL;
    struct err err;

    if (param_check(param_find(sample_params, COUNT(sample_params), name), value, &canonical,
                    &err) < 0)
        return "refused";
    snprintf(text, sizeof text, "%s", canonical);
    free(canonical);
    return text;
}

static void test_choices(void)
{
    is_str(parse("dpi", "300"), "accepted", "several choices have a default");
    is_int((int) out.parts, 1, "whose bits are set");
    is_str(parse("parts", " Total,n "), "accepted", "several choices are taken, in any order");
    is_int((int) out.parts, 3, "a bit for each");
    is_str(parse("parts", "n,n"), "accepted", "one may be given twice");
    is_int((int) out.parts, 1, "and counts once");
    is_str(parse("parts", "n,,total"),
           "parts must be one or several of these, divided by commas: n, total",
           "an empty one is refused");
    is_str(parse("parts", ""), "parts must be one or several of these, divided by commas: n, total",
           "so is none");
    is_str(parse("parts", "words"),
           "parts must be one or several of these, divided by commas: n, total",
           "and a word that is no choice");
    is_str(kept("parts", " n, total "), "n, total", "the list is kept without blanks around it");
}

static void test_types(void)
{
    is_str(parse("dpi", "300"), "accepted", "a number in range is taken");
    is_int(out.dpi, 300, "and lands in its field");
    is_str(out.title, "none", "a default is filled in");
    is_str(out.fit, "page", "what was given is kept");
    is_str(parse("dpi", "601"), "dpi must be a whole number from 36 to 600", "out of range");
    is_str(parse("dpi", "12x"), "dpi must be a whole number from 36 to 600", "trailing rubbish");
    is_str(parse("dpi", "99999999999999999999"), "dpi must be a whole number from 36 to 600",
           "overflow");
    is_str(parse("dpi", " 72 "), "accepted", "blanks around a number are no harm");
    is_str(parse("turn", "45"), "turn must be a multiple of 90 from -360 to 360", "a step");
    is_str(parse("turn", "-270"), "accepted", "a negative multiple");
    is_int(out.turn, -270, "lands with its sign");
    is_str(parse("opacity", "0.5"), "accepted", "a fraction");
    is_str(parse("opacity", "nan"), "opacity must be a number from 0 to 1", "NaN is refused");
    is_str(parse("size", "2.5"), "accepted", "a number that may be a word");
    ok(out.size == 2.5 && out.color == 0x808080, "may be a number");
    is_str(parse("size", " Auto"), "accepted", "or the word");
    ok(isnan(out.size), "which reads as no number");
    is_str(parse("size", "none"), "size must be a number from 1 to 9, or auto", "but no other");
    is_str(parse("color", "#1aF"), "accepted", "a colour of three digits");
    is_int(out.color, 0x11aaff, "has each of them twice");
    is_str(parse("color", "01fe7a"), "accepted", "a colour without a hash");
    is_int(out.color, 0x01fe7a, "is red, green, blue");
    is_str(parse("color", "#12345"), "color must be a colour as #rgb or #rrggbb in hex digits",
           "a colour of five digits");
    is_str(parse("color", "red"), "color must be a colour as #rgb or #rrggbb in hex digits",
           "the name of a colour");
    is_str(parse("form", "{{{n}} of {total}"), "accepted", "a text with words to fill in");
    is_str(parse("form", "p. {page}"),
           "form: at \"{page}\": words in braces are {n}, {total}; write {{ and }} for braces",
           "a word that is none of them");
    is_str(parse("gray", "YES"), "accepted", "a boolean may be said in words");
    ok(out.gray, "and is true");
    is_str(parse("gray", "maybe"), "gray must be true or false", "a boolean is one of two");
    is_str(parse("title", "far too long"), "title must have 1 to 8 characters", "a long text");
    is_str(parse("title", "\xd9\x85\xd8\xa7\xd9\x84\xd9\x83"), "accepted", "text in any script");
    is_str(parse("title", "\xff"), "title must be UTF-8 text without control characters",
           "text that is not UTF-8");
    is_str(parse("title", "a\x1b[2J"), "title must be UTF-8 text without control characters",
           "escape sequences");
    is_str(parse("pages", "1-3,r1"), "accepted", "a page list");
    is_str(parse("pages", "0"), "pages: page numbers begin with 1 at \"0\"", "a wrong page list");
}

static void test_names(void)
{
    struct param_input twice[] = { { "fit", "page" }, { "fit", "page" } };
    struct err err;

    is_str(parse("shade", "red"), "there is no field \"shade\": leave it out",
           "an undeclared name");
    is_str(parse("DPI", "72"), "there is no field \"DPI\": did you mean dpi?",
           "a near miss is helped");
    is_str(parse("p\x01x", ""), "there is no field \"p?x\": leave it out",
           "a message holds no control characters");
    ok(param_fill(sample_params, COUNT(sample_params), NULL, 0, &out, &err) < 0 &&
           err.code == ERR_MISSING_FIELD,
       "a required one must be there");
    is_str(err.field, "fit", "and is named");
    ok(param_fill(sample_params, COUNT(sample_params), twice, 2, &out, &err) < 0 &&
           err.code == ERR_INVALID_PARAMETER,
       "a field given twice is refused");
    twice[1].name = "dpi";
    ok(param_fill(sample_params, COUNT(sample_params), twice, 2, &out, &err) < 0 &&
           strcmp(err.field, "dpi") == 0,
       "the field at fault is named");
    is_str(parse("openBy", "hush"), "accepted", "a field may have another name");
    is_str(out.openWith, "hush", "and lands where it belongs");
    twice[0] = (struct param_input){ "openWith", "a" };
    twice[1] = (struct param_input){ "openBy", "b" };
    ok(param_fill(sample_params, COUNT(sample_params), twice, 2, &out, &err) < 0 &&
           err.code == ERR_INVALID_PARAMETER,
       "given by both it is given twice");
}

static const char *give(const char *name, const struct tool_input *file)
{
    static struct err err;
    struct param_input in[] = { { "fit", "page" }, { name, NULL, file } };

    out = (struct sample){ 0 };
    return param_fill(sample_params, COUNT(sample_params), in, 2, &out, &err) < 0 ? err.msg
                                                                                  : "accepted";
}

static void test_files(void)
{
    struct tool_input file = { .fd = 7, .bytes = 1000 }, large = { .fd = 8, .bytes = 1001 };

    is_str(give("certificate", &file), "accepted", "a parameter may be a file");
    ok(out.certificate == &file, "and lands in its field");
    is_str(parse("dpi", "72"), "accepted", "it need not be given");
    ok(out.certificate == NULL, "then there is none");
    is_str(parse("certificate", "text"), "certificate must be a file", "a value is no file");
    is_str(give("dpi", &file), "dpi is a value and not a file", "nor the other way round");
    is_str(give("certificate", &large), "certificate must have at most 1000 bytes",
           "a large one is refused");
    is_str(kept("certificate", "text"), "refused", "a value is refused alone too");
}

static void test_canonical(void)
{
    is_str(kept("fit", " WIDTH "), "width", "choices are kept as they are declared");
    is_str(kept("dpi", " 72"), "72", "numbers without blanks");
    is_str(kept("gray", "on"), "true", "booleans as true or false");
    is_str(kept("title", " a "), " a ", "text as it came");
    is_str(kept("title", "a\r\nb\n"), "a\nb\n", "with line breaks of one character");
    is_str(kept("size", " AUTO"), "AUTO", "words beside numbers without blanks");
    is_str(kept("openWith", "use\xcc\x81r"), "use\xcc\x81r", "a password to open with as it came");
    is_str(kept("openWith", "a\x07"), "a\x07", "with whatever is in it");
    is_str(kept("openWith", "us\xe9r"), "refused", "but in UTF-8");
    is_str(kept("newPassword", "use\xcc\x81r"), "us\xc3\xa9r", "a new password is composed (NFKC)");
    is_str(kept("newPassword", "I\xc2\xadX"), "IX", "SASLprep: a soft hyphen maps to nothing");
    is_str(kept("newPassword", "\xe2\x85\xa8"), "IX", "SASLprep: a Roman numeral nine is I, X");
    is_str(kept("newPassword", "a\x07"), "refused", "SASLprep: control characters are prohibited");
    is_str(kept("newPassword", "\xd9\x85\xd8\xa7\xd9\x84\xd9\x83"
                               "1"),
           "\xd9\x85\xd8\xa7\xd9\x84\xd9\x83"
           "1",
           "an Arabic word may end with a digit");
    is_str(kept("newPassword", "\xf0\x9f\x94\x91"), "\xf0\x9f\x94\x91", "so may an emoji be one");
    is_str(kept("newPassword", ""), "refused", "an empty one is refused");
    is_str(kept("newPassword", "\xe2\x84\xa2\xe2\x84\xa2\xe2\x84\xa2\xe2\x84\xa2"), "TMTMTMTM",
           "the limit counts what is left after preparation");
    is_str(kept("newPassword", "1234567890123"), "refused", "over the limit is refused");
}

int main(void)
{
    test_types();
    test_choices();
    test_names();
    test_files();
    test_canonical();
    return done_testing();
}
