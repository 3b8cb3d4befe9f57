#include "write/article/article.h"

#include <stdlib.h>
#include <string.h>

#include <cmark-gfm-core-extensions.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "write/article/contents.h"
#include "write/article/formulas.h"
#include "write/article/front_matter.h"
#include "write/article/html_nodes.h"
#include "write/article/places.h"
#include "write/article/slugs.h"
#include "write/highlight/highlight.h"

#define PARSING (CMARK_OPT_FOOTNOTES | CMARK_OPT_UNSAFE | CMARK_OPT_VALIDATE_UTF8)

extern const char article_style[];

struct article {
    const struct article_options *options;
    cmark_node *root;
    cmark_llist *extensions; /* of the parser; borrowed */
    struct formulas formulas;
    struct slugs slugs;
    struct contents contents;
    struct html_nodes html_nodes;
    struct front_matter front;
};

static void warn_places(const struct article *article, const char *code, const char *before,
                        const struct places *places, const char *after, const char *first)
{
    AUTO_BUF struct buf sentence = BUF_EMPTY;

    if (places->n == 0)
        return;
    buf_puts(&sentence, before);
    places_write(places, &sentence);
    buf_puts(&sentence, after);
    buf_puts(&sentence, first);
    buf_putc(&sentence, '.');
    article->options->warn(article->options->hand, code, buf_text(&sentence));
}

/* A copy of the text in UTF-8: other bytes become U+FFFD. */
static void copy_text(const struct article *article, const char *text, size_t n, struct buf *out)
{
    struct places places = { 0 };
    int line = 1, marked = 0;

    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        n -= 3;
    }
    for (size_t at = 0; at < n;) {
        uint32_t c;
        size_t length = utf8_decode(text + at, n - at, &c);

        if (length == 0 || c == 0) {
            buf_puts(out, "\xEF\xBF\xBD");
            if (marked != line)
                places_add(&places, line, "");
            marked = line;
            at++;
            continue;
        }
        line += c == '\n';
        buf_put(out, text + at, length);
        at += length;
    }
    warn_places(article, "text_not_utf8", "The text is not UTF-8 in ", &places,
                ": what cannot be read is shown as a replacement character", "");
}

static void parse_text(struct article *article, const struct buf *text)
{
    static const char *const names[] = { "table", "strikethrough", "autolink", "tagfilter",
                                         "tasklist" };
    cmark_parser *parser = cmark_parser_new(PARSING);

    cmark_gfm_core_extensions_ensure_registered();
    for (size_t i = 0; i < COUNT(names); i++)
        cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(names[i]));
    if (article->options->math)
        formulas_attach(&article->formulas, parser);
    cmark_parser_feed(parser, buf_text(text), text->len);
    article->root = cmark_parser_finish(parser);
    article->extensions = cmark_llist_append(cmark_get_default_mem_allocator(), NULL,
                                             cmark_find_syntax_extension("tagfilter"));
    cmark_parser_free(parser);
}

/* Puts markup in place of a node, around its children. The node is freed. */
static void replace_node(cmark_node *node, const char *before, const char *after)
{
    cmark_node *custom = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK), *child;

    cmark_node_set_on_enter(custom, before);
    cmark_node_set_on_exit(custom, after);
    cmark_node_insert_before(node, custom);
    while ((child = cmark_node_first_child(node)))
        cmark_node_append_child(custom, child);
    cmark_node_unlink(node);
    cmark_node_free(node);
}

static void change_heading(struct article *article, cmark_node *node)
{
    AUTO_BUF struct buf text = BUF_EMPTY, before = BUF_EMPTY, after = BUF_EMPTY;
    int level = cmark_node_get_heading_level(node);
    const char *id;

    html_nodes_text(node, &text);
    id = slugs_add(&article->slugs, buf_text(&text), text.len);
    if (!id)
        return;
    contents_add(&article->contents, level, id, buf_text(&text), text.len);
    buf_printf(&before, "<h%d id=\"%s\">", level, id);
    buf_printf(&after, "</h%d>\n", level);
    replace_node(node, buf_text(&before), buf_text(&after));
}

static void change_code(struct article *article, cmark_node *node)
{
    AUTO_BUF struct buf html = BUF_EMPTY;
    const char *info = cmark_node_get_fence_info(node), *code = cmark_node_get_literal(node);
    size_t n = strcspn(info ? info : "", " \t,{:");

    if (article->options->math && n == 4 && memcmp(info, "math", 4) == 0) {
        formulas_put(&article->formulas, code, strlen(code), true, cmark_node_get_start_line(node),
                     &html);
        buf_putc(&html, '\n');
    } else {
        buf_puts(&html, "<pre><code>");
        highlight_code(info ? info : "", n, code, strlen(code), &html);
        buf_puts(&html, "</code></pre>\n");
    }
    replace_node(node, buf_text(&html), "");
}

/* Changes the nodes that are not written as the library does. An iterator survives the change of
 * the node that it left. */
static void change_nodes(struct article *article)
{
    cmark_iter *iterator = cmark_iter_new(article->root);
    cmark_event_type event;

    while ((event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iterator);
        cmark_node_type type = cmark_node_get_type(node);

        if (type == CMARK_NODE_HEADING && event == CMARK_EVENT_EXIT)
            change_heading(article, node);
        else if (type == CMARK_NODE_CODE_BLOCK)
            change_code(article, node);
        else if (event == CMARK_EVENT_ENTER)
            html_nodes_change(&article->html_nodes, node);
    }
    cmark_iter_free(iterator);
}

static void put_title(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_put_markup(out, text[i]);
}

static void put_css(const struct article_options *options, struct buf *out)
{
    if (!options->style && !options->css)
        return;
    buf_puts(out, "<style>\n");
    if (options->style)
        buf_puts(out, article_style);
    for (size_t i = 0; options->css && i < options->n_css; i++) {
        buf_putc(out, options->css[i]);
        /* What would end the element has another spelling in CSS. */
        if (options->css[i] == '<' && i + 1 < options->n_css && options->css[i + 1] == '/')
            buf_putc(out, '\\');
    }
    buf_puts(out, "\n</style>\n");
}

static void put_head(const struct article *article, struct buf *out)
{
    const char *title = article->options->title;
    size_t n = title ? strlen(title) : 0;

    if (*article->front.title) {
        title = article->front.title;
        n = strlen(title);
    } else if (article->contents.n > 0 && article->contents.items[0].n_text > 0) {
        title = article->contents.items[0].text;
        n = article->contents.items[0].n_text;
    }
    buf_puts(out, "<!DOCTYPE html>\n<html");
    if (*article->front.lang)
        buf_printf(out, " lang=\"%s\"", article->front.lang);
    buf_puts(out, ">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    put_title(out, title ? title : "", n);
    buf_puts(out, "</title>\n");
    put_css(article->options, out);
    buf_puts(out, "</head>\n<body>\n");
}

/* Puts the table of contents after the heading of level 1 that begins the text, or before it. */
static void insert_contents(struct article *article)
{
    AUTO_BUF struct buf html = BUF_EMPTY;
    cmark_node *node, *first = cmark_node_first_child(article->root);
    bool titled = first && cmark_node_get_type(first) == CMARK_NODE_CUSTOM_BLOCK &&
                  strncmp(cmark_node_get_on_enter(first), "<h1", 3) == 0;

    contents_write(&article->contents, article->options->depth, titled, &html);
    if (html.len == 0)
        return;
    node = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
    cmark_node_set_on_enter(node, buf_text(&html));
    if (titled)
        cmark_node_insert_after(first, node);
    else
        cmark_node_prepend_child(article->root, node);
}

static void warn_all(struct article *article)
{
    html_nodes_check_links(&article->html_nodes, article->root, &article->slugs);
    warn_places(article, "math_as_source", "Formulas are shown as their source in ",
                &article->formulas.unknown, ": ", article->formulas.unknown.first);
    warn_places(article, "html_as_text", "HTML is shown as text in ", &article->html_nodes.as_text,
                "", "");
    warn_places(article, "link_removed",
                "Links that run scripts or open local files were removed in ",
                &article->html_nodes.unsafe, "", "");
    warn_places(article, "link_target_missing", "Links lead to headings that are not there in ",
                &article->html_nodes.lost, "", "");
}

static void article_free(struct article *article)
{
    cmark_mem *memory = cmark_get_default_mem_allocator();

    if (article->root)
        cmark_node_free(article->root);
    cmark_llist_free(memory, article->extensions);
    formulas_free(&article->formulas);
    slugs_free(&article->slugs);
    contents_free(&article->contents);
}

int article_write(const char *text, size_t n, const struct article_options *options,
                  struct buf *html, struct err *err)
{
    __attribute__((cleanup(article_free))) struct article article = {
        .options = options, .html_nodes = { .as_html = options->html }
    };
    AUTO_BUF struct buf copy = BUF_EMPTY;
    AUTO_FREE char *body = NULL;

    if (n > ARTICLE_BYTES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the text is longer than %d MB: divide it",
                       ARTICLE_BYTES / 1000000);
    copy_text(&article, text, n, &copy);
    front_matter_read(&copy, &article.front);
    if (options->math)
        formulas_mark_blocks(&article.formulas, &copy);
    if (copy.failed)
        return err_set(err, ERR_INTERNAL, "there is not enough memory for the text");
    parse_text(&article, &copy);
    change_nodes(&article);
    if (options->contents)
        insert_contents(&article);
    warn_all(&article);
    body = cmark_render_html(article.root, PARSING, article.extensions);
    put_head(&article, html);
    buf_puts(html, body);
    buf_puts(html, "</body>\n</html>\n");
    return html->failed ? err_set(err, ERR_INTERNAL, "there is not enough memory for the page") : 0;
}
