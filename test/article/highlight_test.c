/* highlight: source code with classes for colours. */
#include "write/highlight/highlight.h"

#include "tap.h"

static const char *coloured(const char *language, const char *code)
{
    static char out[2000];
    struct buf html = BUF_EMPTY;

    highlight_code(language, strlen(language), code, strlen(code), &html);
    snprintf(out, sizeof out, "%s", buf_text(&html));
    buf_free(&html);
    return out;
}

int main(void)
{
    is_str(coloured("c", "int x = 1; // <a>"),
           "<span class=\"k\">int</span> x = <span class=\"n\">1</span>; "
           "<span class=\"c\">// &lt;a&gt;</span>",
           "keywords, numbers and comments of C");
    is_str(coloured("c", "#include <a.h>"), "<span class=\"k\">#include</span> &lt;a.h&gt;",
           "a directive");
    is_str(coloured("c", "integer"), "integer", "a word that begins with a keyword is not one");
    is_str(coloured("js", "`a\nb` + 'c\\'d'"),
           "<span class=\"s\">`a\nb`</span> + <span class=\"s\">'c\\'d'</span>",
           "strings, with lines and escapes");
    is_str(coloured("Python", "\"\"\"a\n\"b\"\"\" # c"),
           "<span class=\"s\">&quot;&quot;&quot;a\n&quot;b&quot;&quot;&quot;</span> "
           "<span class=\"c\"># c</span>",
           "strings of three quotes; the name of a language may have capitals");
    is_str(coloured("sh", "echo a#b # c"),
           "<span class=\"k\">echo</span> a#b <span class=\"c\"># c</span>",
           "a comment of a shell begins after a blank");
    is_str(coloured("sql", "Select 'a'"),
           "<span class=\"k\">Select</span> <span class=\"s\">'a'</span>",
           "keywords of SQL are so in any case");
    is_str(coloured("json", "{\"a\": true}"),
           "{<span class=\"t\">&quot;a&quot;</span>: <span class=\"k\">true</span>}",
           "keys of JSON");
    is_str(coloured("html", "<a b=\"c\">d<!-- e"),
           "<span class=\"k\">&lt;a</span> <span class=\"t\">b</span>="
           "<span class=\"s\">&quot;c&quot;</span><span class=\"k\">&gt;</span>d"
           "<span class=\"c\">&lt;!-- e</span>",
           "tags, attributes, and a comment that does not end");
    is_str(coloured("diff", "+a\n-b\n c"),
           "<span class=\"i\">+a</span>\n<span class=\"d\">-b</span>\n c", "lines of a difference");
    is_str(coloured("none", "int <x>"), "int &lt;x&gt;", "an unknown language has no colours");
    ok(highlight_knows("c++", 3) && highlight_knows("TypeScript", 10) && !highlight_knows("", 0) &&
           !highlight_knows("c js", 4),
       "languages are known by their names");
    return done_testing();
}
