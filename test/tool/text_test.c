#include "declare/value/text.h"

#include "tap.h"

static const char *name(const char *text)
{
    static char out[300];

    text_file_name(text, strlen(text), out, 40);
    return out;
}

static const char *stem(const char *text)
{
    static char out[300];

    snprintf(out, sizeof out, "%s", text);
    text_cut_extension(out);
    return out;
}

int main(void)
{
    size_t n;
    char shown[8], part[20];

    ok(text_count("a\xc3\xa9\xf0\x9f\x94\x91", 7, &n) && n == 3, "characters are counted");
    ok(!text_count("\xc0\xaf", 2, &n), "overlong forms are no UTF-8");
    ok(!text_count("\xed\xa0\x80", 3, &n), "nor are surrogates");
    ok(!text_count("\xf4\x90\x80\x80", 4, &n) && !text_count("\xc3", 1, &n),
       "nor what lies beyond");
    ok(text_count("a\r\nb", 4, &n) && n == 3, "CR LF is one character");
    ok(!text_count("a\rb", 3, &n) && !text_count("a\r", 2, &n), "CR alone is none");
    ok(!text_count("\x7f", 1, &n) && !text_count("\xc2\x85", 2, &n), "control characters are none");
    text_for_message("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 8, shown, sizeof shown);
    is_str(shown, "\xc3\xa9\xc3\xa9\xc3\xa9", "a message is cut between characters");

    ok(text_is_blank(" \n\t\xc2\xa0\xe2\x80\x8b\xe3\x80\x80\xef\xbb\xbf") && text_is_blank(""),
       "blanks, breaks and characters without a shape show nothing");
    ok(!text_is_blank(" .") && !text_is_blank("\xe2\x80\x8b\xe6\xbc\xa2"), "all others do");

    is_str(name("report.pdf"), "report.pdf", "an ordinary name stays");
    is_str(name("../../etc/passwd"), "passwd", "path parts are cut off");
    is_str(name("C:\\Users\\x\\b.pdf"), "b.pdf", "with either slash");
    is_str(name("a\r\nSet-Cookie: x.pdf"), "a__Set-Cookie_ x.pdf",
           "line ends and colons are replaced");
    is_str(name("\xd8\xaa\xd9\x82\xd8\xb1\xd9\x8a\xd8\xb1.pdf"),
           "\xd8\xaa\xd9\x82\xd8\xb1\xd9\x8a\xd8\xb1.pdf", "any script is kept");
    is_str(name("exe\xe2\x80\xaegnp.pdf"), "exe_gnp.pdf", "direction tricks are not");
    is_str(name("...hidden.pdf"), "hidden.pdf", "nor are leading dots");
    is_str(name("nul.pdf"), "_nul.pdf", "names Windows reserves are prefixed");
    is_str(name("bad\xff.pdf"), "bad_.pdf", "what is not UTF-8 is replaced");
    is_str(name(".."), "", "what is nothing but dots is nothing");
    is_int(strlen(name("12345678901234567890123456789012345678\xc3\xa9\xc3\xa9.pdf")), 40,
           "a long name is cut");
    text_part_name(" a/b\\c:...", 10, part, sizeof part - 1);
    is_str(part, "a_b_c_", "a title is no path");
    is_str(stem("report.pdf"), "report", "an extension can be cut off");
    is_str(stem(".pdf"), ".pdf", "if a stem is left");
    is_str(stem("v1. final version"), "v1. final version", "a sentence has no extension");
    return done_testing();
}
