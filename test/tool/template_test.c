#include "declare/value/template.h"

#include "base/scope.h"
#include "tap.h"

static const char *const words[] = { "n", "name", NULL };

static void fill(void *arg, size_t word, struct buf *out)
{
    buf_printf(out, "<%s%zu>", (const char *) arg, word);
}

static void expands(const char *text, const char *want)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct err err = { 0 };
    char arg[] = "w";

    ok(template_check(text, words, &err) == 0, "\"%s\" is one", text);
    template_expand(text, words, fill, arg, &out);
    is_str(buf_text(&out), want, "and becomes what it means");
}

static void refuses(const char *text)
{
    struct err err = { 0 };

    ok(template_check(text, words, &err) < 0 && err.code == ERR_INVALID_PARAMETER, "\"%s\" is none",
       text);
}

/* The words of a text that is one, each with a comma behind it. */
static const char *words_of(const char *text)
{
    static char out[40];
    size_t n, used = 0;

    out[0] = '\0';
    for (const char *word = text; (word = template_word(word, &n)); word += n)
        used += (size_t) snprintf(out + used, sizeof out - used, "%.*s,", (int) n, word);
    return out;
}

int main(void)
{
    expands("plain", "plain");
    expands("", "");
    expands("{n}", "<w0>");
    expands("a {n}{name} b", "a <w0><w1> b");
    expands("{{n}", "{n}");
    expands("{{{n}}", "{<w0>}");
    expands("}", "}");
    expands("{{n}}", "{n}");
    expands("{n}}}}}", "<w0>}}");
    expands("{{}}", "{}");
    expands("a } b", "a } b");
    refuses("{");
    refuses("{n");
    refuses("{N}");
    refuses("{nam}");
    refuses("{}");
    refuses("{{{");
    is_str(words_of("a {n}{{n}{{{name}}"), "n,name,", "its words can be walked through");
    return done_testing();
}
