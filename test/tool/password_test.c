/* Tests of tool/password: the forms a password may have in a document. */
#include "declare/value/password.h"

#include <string.h>

#include "tap.h"

static bool has(const struct password_forms *forms, const char *form)
{
    for (size_t i = 0; i < forms->n; i++)
        if (strcmp(forms->forms[i], form) == 0)
            return true;
    return false;
}

static void test_forms(void)
{
    AUTO_PASSWORD_FORMS struct password_forms ascii = { 0 }, latin = { 0 }, euro = { 0 },
                                              cyrillic = { 0 }, composed = { 0 }, empty = { 0 },
                                              raw = { 0 };
    struct err err;

    password_forms("secret", &ascii, &err);
    is_int(ascii.n, 1, "ASCII has one form");
    password_forms("us\xc3\xa9r", &latin, &err);
    ok(has(&latin, "us\xc3\xa9r") && has(&latin, "us\xe9r"), "Latin letters are one byte too");
    is_str(latin.forms[0], "us\xc3\xa9r", "what was given is tried first");
    password_forms("\xe2\x82\xac", &euro, &err);
    ok(has(&euro, "\xa0") && has(&euro, "\x80"),
       "the euro sign differs between PDFDocEncoding and the Windows code page");
    password_forms("\xd0\xbf", &cyrillic, &err);
    is_int(cyrillic.n, 1, "what no old encoding holds has no other form");
    password_forms("use\xcc\x81r", &composed, &err);
    ok(has(&composed, "us\xc3\xa9r"), "decomposed letters are composed");
    password_forms("", &empty, &err);
    ok(empty.n == 1 && !*empty.forms[0], "the empty password is one form");
    password_forms("\xff\xfe", &raw, &err);
    ok(has(&raw, "\xff\xfe"), "what is no UTF-8 is tried as it is");
}

static void test_encoding(void)
{
    char out[PASSWORD_R4_MAX + 1] = "";
    struct err err;

    ok(password_encode_pdfdoc("Gr\xc3\xbc\xc3\x9f", out, PASSWORD_R4_MAX) == 0,
       "Latin letters fit PDFDocEncoding");
    is_str(out, "Gr\xfc\xdf", "a byte each");
    ok(password_encode_pdfdoc("\xd0\xbf", out, PASSWORD_R4_MAX) < 0, "others do not");
    ok(password_encode_pdfdoc("123456789012345678901234567890123", out, PASSWORD_R4_MAX) < 0,
       "33 bytes are too many");
    ok(password_encode_pdfdoc("12345678901234567890123456789012", out, PASSWORD_R4_MAX) == 0,
       "32 are not");
    ok(password_encode_r4("password", "\xd0\xbf", out, &err) < 0 &&
           err.code == ERR_INVALID_PARAMETER && strstr(err.msg, "does not support"),
       "a new one of other letters is refused");
    ok(password_encode_r4("password", "123456789012345678901234567890123", out, &err) < 0 &&
           strstr(err.msg, "more than the 32"),
       "and one of 33");
}

int main(void)
{
    test_forms();
    test_encoding();
    return done_testing();
}
