#include "declare/value/language_list.h"

#include <string.h>

#include "tap.h"

static const char *const installed[] = { "auto", "chi_sim", "deu", "eng", NULL };

static bool takes(const char *text)
{
    struct err err;

    return language_list_check(text, installed, &err) == 0;
}

static bool refuses(const char *text, const char *why)
{
    struct err err;

    return language_list_check(text, installed, &err) < 0 && err.code == ERR_INVALID_PARAMETER &&
           strstr(err.msg, why);
}

int main(void)
{
    char package[LANGUAGE_LIST_PACKAGE];

    ok(takes("auto"), "auto");
    ok(takes("eng"), "a language");
    ok(takes("deu+eng+chi_sim"), "several");
    ok(refuses("ita", "the language ita is not installed here: apt-get install tesseract-ocr-ita"),
       "one that is not installed, with its package");
    ok(refuses("eng+chi_tra", "tesseract-ocr-chi-tra"), "also among others");
    ok(refuses("ita", "there are chi_sim, deu, eng"), "with those that are");
    ok(refuses("auto+eng", "it must be auto, or"), "auto goes with no other");
    ok(refuses("", "it must be"), "nothing");
    ok(refuses("eng+", "it must be"), "nothing after a sign");
    ok(refuses("eng,deu", "it must be"), "another sign");
    ok(refuses("../eng", "it must be"), "a path");
    ok(refuses("eng+eng+eng+eng+eng+eng+eng+eng+eng", "at most 8"), "too many");
    ok(refuses("e234567890123456789012345678901234567890", "it must be"), "too long a word");
    language_list_package("chi_sim", package);
    is_str(package, "tesseract-ocr-chi-sim", "the package of a language");
    return done_testing();
}
