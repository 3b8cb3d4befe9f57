/* article: pages made of Markdown. */
#include "write/article/article.h"

#include <stdlib.h>

#include "tap.h"

static struct buf warnings;

static void keep(void *hand, const char *code, const char *sentence)
{
    (void) hand;
    buf_printf(&warnings, "%s: %s\n", code, sentence);
}

static struct buf page;

/* The body of the page, without its last newline. `how`: 'c' for contents, 't' for HTML as text,
 * 'm' without mathematics. */
static const char *body(const char *how, const char *text)
{
    struct article_options options = { .title = "t",
                                       .contents = strchr(how, 'c') != NULL,
                                       .depth = 3,
                                       .math = !strchr(how, 'm'),
                                       .html = !strchr(how, 't'),
                                       .warn = keep };
    struct err err = { 0 };
    char *from, *to;

    page.len = warnings.len = 0;
    buf_puts(&warnings, "");
    if (article_write(text, strlen(text), &options, &page, &err) < 0)
        return "the page was not written";
    from = strstr(page.data, "<body>\n");
    to = strstr(page.data, "\n</body>");
    if (!from || !to)
        return "the page has no body";
    *to = '\0';
    return to < from + 7 ? "" : from + 7;
}

static const char *warned(void)
{
    if (warnings.len > 0)
        warnings.data[warnings.len - 1] = '\0';
    return warnings.len > 0 ? warnings.data : "";
}

static void test_blocks(void)
{
    is_str(body("", "# A *b*\n"), "<h1 id=\"a-b\">\nA <em>b</em>\n</h1>",
           "a heading has an id of its words");
    is_str(body("", "## Ä?\n## ä\n"), "<h2 id=\"ä\">\nÄ?\n</h2>\n<h2 id=\"ä-1\">\nä\n</h2>",
           "ids are in lower case, without punctuation, and differ");
    is_str(body("", "- [x] a\n"),
           "<ul>\n<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> a</li>\n</ul>",
           "a task list");
    ok(strstr(body("", "|a|\n|-|\n|$x$|\n"), "<td><math><mrow><mi>x</mi></mrow></math></td>") !=
           NULL,
       "a table, with a formula in a cell");
    is_str(body("", "```c\nint\n```\n"), "<pre><code><span class=\"k\">int</span>\n</code></pre>",
           "code with colours");
    ok(strstr(body("", "a[^1]\n\n[^1]: b\n"), "<section class=\"footnotes\"") != NULL,
       "a footnote");
    is_str(body("", "~~a~~ www.example.com"),
           "<p><del>a</del> <a href=\"http://www.example.com\">www.example.com</a></p>",
           "strikethrough and autolinks");
    is_str(body("", ""), "", "an empty text is an empty page");
    is_str(warned(), "", "and nothing is said of it");
}

static void test_formulas(void)
{
    is_str(body("", "a $x$ b"), "<p>a <math><mrow><mi>x</mi></mrow></math> b</p>", "a formula");
    is_str(body("", "$a_b$ $c_d$"),
           "<p><math><mrow><msub><mi>a</mi><mi>b</mi></msub></mrow></math> "
           "<math><mrow><msub><mi>c</mi><mi>d</mi></msub></mrow></math></p>",
           "marks of emphasis in formulas are not marks");
    is_str(body("", "from $5 to $6, or US$1-US$2"), "<p>from $5 to $6, or US$1-US$2</p>",
           "amounts of money are not formulas");
    is_str(body("", "`$x$` \\$x$"), "<p><code>$x$</code> $x$</p>",
           "code and escaped signs are not either");
    is_str(body("", "$$\n- a\n\n+ b\n$$\n"),
           "<math display=\"block\"><mrow><mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−</mo>"
           "<mi>a</mi><mo form=\"infix\" lspace=\"0.2222em\" rspace=\"0.2222em\">+</mo><mi>b</mi>"
           "</mrow></math>",
           "what looks like lists between $$ is a formula");
    is_str(body("", "```\n$$\nx\n$$\n```\n"), "<pre><code>$$\nx\n$$\n</code></pre>",
           "but not in code");
    is_str(body("", "    $$\n    x\n    $$\n"), "<pre><code>$$\nx\n$$\n</code></pre>",
           "nor in code that is indented");
    ok(strstr(body("", "- a\n\n  $$\n  x\n  $$\n"), "<math display=\"block\">") != NULL,
       "a formula in a list");
    is_str(body("", "$$ x"), "<p>$$ x</p>", "$$ that does not end is text");
    is_str(body("m", "$x$"), "<p>$x$</p>", "formulas can be switched off");
    is_str(body("", "a\n\nb $\\foo$ c\n$\\bar$\n"),
           "<p>a</p>\n<p>b <span class=\"math-source\">\\foo</span> c\n"
           "<span class=\"math-source\">\\bar</span></p>",
           "what is not known is shown as it is");
    is_str(warned(),
           "math_as_source: Formulas are shown as their source in lines 3 and 4: the command \\foo "
           "is not known.",
           "and said, with its lines");
}

static void test_html(void)
{
    is_str(body("", "a<br>b"), "<p>a<br>b</p>", "HTML is HTML");
    is_str(body("", "<script>x</script>"), "&lt;script>x&lt;/script>", "but not scripts");
    is_str(warned(), "html_as_text: HTML is shown as text in line 1.", "which is said");
    is_str(body("t", "a<br>b <!-- c -->"), "<p>a&lt;br&gt;b </p>", "HTML is text if asked for");
    is_str(body("t", "<div>\n"), "<p>&lt;div&gt;\n</p>", "so are blocks of it");
    is_str(body("", "[a](javascript:alert) ![](data:text/html,x) ![](data:image/png;base64,)"),
           "<p><a href=\"\">a</a> <img src=\"\" alt=\"\" /> "
           "<img src=\"data:image/png;base64,\" alt=\"\" /></p>",
           "links to scripts lead nowhere");
    is_str(warned(),
           "link_removed: Links that run scripts or open local files were removed in line 1.",
           "which is said, too");
    body("", "# A b\n\n[a](#a-b) [b](#c)\n\n[d](#e%20) <a name=\"f\"></a> [g](#f)\n");
    is_str(warned(),
           "link_target_missing: Links lead to headings that are not there in lines 3 and 5.",
           "a link that leads nowhere is named by its line");
}

/* The place for the number of a page. */
#define NUMBER "<span class=\"page\"></span>"

static void test_page(void)
{
    is_str(body("c", "# T\n## A\n### B\n#### C\n## D\n"),
           "<h1 id=\"t\">\nT\n</h1>\n<nav class=\"contents\">\n<ul>\n<li><a "
           "href=\"#a\"><span>A</span> " NUMBER "</a><ul>\n"
           "<li><a href=\"#b\"><span>B</span> " NUMBER "</a></li></ul></li>\n<li><a "
           "href=\"#d\"><span>D</span> " NUMBER "</a></li></ul>\n</nav>\n"
           "<h2 id=\"a\">\nA\n</h2>\n<h3 id=\"b\">\nB\n</h3>\n<h4 id=\"c\">\nC\n</h4>\n"
           "<h2 id=\"d\">\nD\n</h2>",
           "a table of contents comes after the title");
    is_str(body("c", "a"), "<p>a</p>", "without headings there is none");
    body("", "---\ntitle: 'x < y'\nlang: de\n---\n# a\n");
    ok(strstr(page.data, "<html lang=\"de\">") && strstr(page.data, "<title>x &lt; y</title>"),
       "front matter has the title and the language");
    is_str(body("", "---\n\nb\n\n---\n"), "<hr />\n<p>b</p>\n<hr />", "a line is not front matter");
    body("", "a\n\n## *b*\n");
    ok(strstr(page.data, "<title>b</title>"), "else the first heading is the title");
    is_str(body("", "a\xFF\nb\n"), "<p>a\xEF\xBF\xBD\nb</p>",
           "bytes that are not UTF-8 are marked");
    is_str(warned(),
           "text_not_utf8: The text is not UTF-8 in line 1: what cannot be read is shown as a "
           "replacement character.",
           "and said");
}

static void test_css(void)
{
    struct article_options options = {
        .css = "a{}</style><b>", .n_css = 14, .style = true, .warn = keep
    };
    struct err err = { 0 };

    page.len = 0;
    ok(article_write("a", 1, &options, &page, &err) == 0 && strstr(page.data, "a{}<\\/style><b>") &&
           strstr(page.data, "orphans"),
       "own style comes after the default one and cannot end it");
}

int main(void)
{
    test_blocks();
    test_formulas();
    test_html();
    test_page();
    test_css();
    buf_free(&page);
    buf_free(&warnings);
    return done_testing();
}
