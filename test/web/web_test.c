#include "server/web/web.h"

#include <string.h>

#include "server/web/reader.h"
#include "tap.h"

static const char *filled(const char *text)
{
    static struct buf out;
    const struct web_value values[] = { { "name", "<b>platen</b>" }, { "empty", "" } };

    buf_free(&out);
    web_fill(&out, text, "de", values, 2);
    return buf_text(&out);
}

static const char *escaped(const char *text)
{
    static struct buf out;

    buf_free(&out);
    web_escape(&out, text);
    return buf_text(&out);
}

static void test_languages(void)
{
    is_str(web_language(NULL, NULL), "en", "who says nothing reads English");
    is_str(web_language(NULL, "de-AT,de;q=0.9,en;q=0.8"), "de", "the first subtag counts");
    is_str(web_language(NULL, "xx, en;q=0.3, fr ; q=0.7"), "fr", "the greatest weight counts");
    is_str(web_language(NULL, "xx-YY,*;q=0.1"), "en", "a language that is not there is English");
    is_str(web_language(NULL, "de;q=0"), "en", "a weight of nothing refuses a language");
    is_str(web_language(NULL, "deu,d,,;q=1"), "en", "a longer or shorter tag is another one");
    is_str(web_language("a=b; platen_language=ja", "de"), "ja", "what was chosen comes first");
    is_str(web_language("platen_language=../x", "de"), "de", "a choice that is not there is none");
    is_str(web_language("xplaten_language=ja", "de"), "de", "another cookie chooses nothing");
    is_str(web_theme("a=b; platen_theme=dark"), "dark", "the dark appearance can be chosen");
    is_str(web_theme("platen_theme=darker"), "", "an appearance that is not there is none");
    is_str(web_theme(NULL), "", "without a choice it is as the system is");
    is_str(web_direction("ar"), "rtl", "Arabic runs from right to left");
}

int main(void)
{
    const struct web_file *sheet = web_find("style.css");

    is_str(filled("nothing to fill"), "nothing to fill", "a text without blanks stays");
    is_str(filled("{{name}} and {{name}}"), "<b>platen</b> and <b>platen</b>",
           "each blank is filled");
    is_str(filled("a{{empty}}b{{unknown}}c"), "abc", "what has no value is left out");
    is_str(filled("a {{t:plans}}, {{t:none}}"), "a Tarife, ", "a word is one of the language");
    is_str(filled("{{name"), "{{name", "a blank that does not end is text");
    is_str(filled("}} {{name}}"), "}} <b>platen</b>", "an end without a beginning, too");
    is_str(escaped("<a href=\"x\">'&'</a>"),
           "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;", "text is no markup");
    ok(sheet && strlen(sheet->text) == sheet->bytes, "a file is found, with its length");
    ok(sheet && strcmp(sheet->media_type, "text/css; charset=utf-8") == 0, "and its type");
    ok(sheet && sheet->etag[0] == '"' && strlen(sheet->etag) == 18, "and a tag in quotes");
    ok(sheet && sheet->packed_bytes < sheet->bytes && memcmp(sheet->packed, "\x1f\x8b", 2) == 0,
       "and its bytes compressed by gzip");
    ok(strlen(web_version) == 12, "all files together have a version");
    ok(!web_find("../main.c") && !web_find(""), "nothing else is found");
    test_languages();
    return done_testing();
}
