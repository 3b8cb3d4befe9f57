#include "write/article/formulas.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "write/mathml/tex_math.h"

void formulas_put(struct formulas *formulas, const char *text, size_t n, bool display, int line,
                  struct buf *out)
{
    AUTO_BUF struct buf expanded = BUF_EMPTY;
    struct err err = { 0 };
    bool defines = false;

    if (tex_macros_expand(&formulas->macros, text, n, &expanded, &defines, &err) == 0) {
        const char *formula = buf_text(&expanded);

        /* Nothing is shown of definitions alone. */
        if ((defines && formula[strspn(formula, " \t\r\n")] == '\0') ||
            tex_math(formula, expanded.len, display, out, &err) == 0)
            return;
    }
    places_add(&formulas->unknown, line, err.msg);
    buf_puts(out, display ? "<pre class=\"math-source\">" : "<span class=\"math-source\">");
    for (size_t i = 0; i < n; i++)
        buf_put_markup(out, text[i]);
    buf_puts(out, display ? "</pre>" : "</span>");
}

/* How a formula begins and ends. */
enum mark { MARK_SINGLE, MARK_DOUBLE, MARK_CODE };

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads a formula up to its end, and moves after it. False if it has none. */
static bool read_formula(cmark_inline_parser *parser, enum mark mark, struct buf *source)
{
    unsigned char c, last = ' ';

    while ((c = cmark_inline_parser_peek_char(parser)) != 0) {
        cmark_inline_parser_advance_offset(parser);
        if (c == '\\' && mark != MARK_CODE) {
            buf_putc(source, '\\');
            c = cmark_inline_parser_peek_char(parser);
            if (c == 0)
                return false;
            cmark_inline_parser_advance_offset(parser);
        } else if (c == '$') {
            unsigned char next = cmark_inline_parser_peek_char(parser);

            if (mark == MARK_SINGLE) /* "from $5 to $6" is not a formula */
                return !is_space(last) && !(next >= '0' && next <= '9');
            if (mark == MARK_DOUBLE && next == '$') {
                cmark_inline_parser_advance_offset(parser);
                return true;
            }
            if (mark == MARK_CODE && last == '`') {
                source->len -= source->failed ? 0 : 1;
                return true;
            }
        }
        buf_putc(source, (char) c);
        last = c;
    }
    return false;
}

/* Called at a '$'. Returns a node, or NULL if it does not begin a formula. */
static cmark_node *match(cmark_syntax_extension *extension, cmark_parser *unused,
                         cmark_node *parent, unsigned char character, cmark_inline_parser *parser)
{
    struct formulas *formulas = cmark_syntax_extension_get_private(extension);
    AUTO_BUF struct buf source = BUF_EMPTY, html = BUF_EMPTY;
    int start = cmark_inline_parser_get_offset(parser);
    enum mark mark = MARK_SINGLE;
    unsigned char next;
    cmark_node *node;

    (void) unused;
    if (character != '$')
        return NULL;
    cmark_inline_parser_advance_offset(parser);
    next = cmark_inline_parser_peek_char(parser);
    if (next == '$' || next == '`') {
        mark = next == '$' ? MARK_DOUBLE : MARK_CODE;
        cmark_inline_parser_advance_offset(parser);
    }
    if (next == 0 || (mark == MARK_SINGLE && is_space(next)) ||
        (formulas->open[mark].block == parent && formulas->open[mark].from <= start) ||
        !read_formula(parser, mark, &source)) {
        if (next != 0 && cmark_inline_parser_peek_char(parser) == 0) {
            formulas->open[mark].block = parent;
            formulas->open[mark].from = start;
        }
        cmark_inline_parser_set_offset(parser, start);
        return NULL;
    }
    formulas_put(formulas, buf_text(&source), source.len, mark == MARK_DOUBLE,
                 cmark_inline_parser_get_line(parser), &html);
    /* Table cells may not contain CMARK_NODE_CUSTOM_INLINE. */
    node = cmark_node_new(CMARK_NODE_HTML_INLINE);
    cmark_node_set_literal(node, buf_text(&html));
    cmark_node_set_user_data(node, formulas);
    return node;
}

void formulas_attach(struct formulas *formulas, cmark_parser *parser)
{
    cmark_mem *memory = cmark_get_default_mem_allocator();
    cmark_llist *characters =
        cmark_llist_append(memory, NULL, (void *) (uintptr_t) (unsigned char) '$');

    formulas->extension = cmark_syntax_extension_new("formulas");
    cmark_syntax_extension_set_private(formulas->extension, formulas, NULL);
    cmark_syntax_extension_set_match_inline_func(formulas->extension, match);
    cmark_syntax_extension_set_special_inline_chars(formulas->extension, characters);
    cmark_parser_attach_syntax_extension(parser, formulas->extension);
}

void formulas_free(struct formulas *formulas)
{
    if (formulas->extension)
        cmark_syntax_extension_free(cmark_get_default_mem_allocator(), formulas->extension);
    formulas->extension = NULL;
    tex_macros_free(&formulas->macros);
}

/* A line of the text while blocks are marked. */
struct line {
    const char *text;
    size_t n;      /* without its end */
    size_t prefix; /* of quotes, list markers and white space */
    size_t total;  /* with its end */
};

static struct line line_at(const struct buf *text, size_t at)
{
    const char *p = text->data + at, *end = memchr(p, '\n', text->len - at);
    struct line line = { .text = p, .total = end ? (size_t) (end - p) + 1 : text->len - at };

    line.n = line.total - (end != NULL);
    while (line.n > 0 && p[line.n - 1] == '\r')
        line.n--;
    while (line.prefix < line.n && strchr(" \t>", p[line.prefix]))
        line.prefix++;
    if (line.prefix + 1 < line.n && strchr("-*+", p[line.prefix]) && p[line.prefix + 1] == ' ')
        for (line.prefix++; line.prefix < line.n && p[line.prefix] == ' ';)
            line.prefix++;
    return line;
}

/* Whether a line begins an item of a list; or, if it is blank or indented, whether the one before
 * did: such a line may be part of the item. */
static bool in_list(const struct line *line, bool before)
{
    size_t n = 0;

    if (line->prefix == line->n || line->text[0] == ' ' || line->text[0] == '\t')
        n = line->prefix;
    while (n < line->n && line->text[n] >= '0' && line->text[n] <= '9')
        n++;
    if (line->prefix > 1 && line->text[line->prefix - 1] == ' ' &&
        memchr("-*+", line->text[line->prefix - 2], 3))
        return true;
    if (n > 0 && n + 1 < line->n && strchr(".)", line->text[n]) && line->text[n + 1] == ' ')
        return true;
    return before && n == line->prefix && n > 0;
}

/* Whether a line outside of lists is indented as code is. */
static bool is_indented_code(const struct line *line)
{
    return line->text[0] == '\t' || (line->n >= 4 && memcmp(line->text, "    ", 4) == 0);
}

static bool is_dollars(const struct line *line)
{
    size_t n = line->n;

    while (n > line->prefix && (line->text[n - 1] == ' ' || line->text[n - 1] == '\t'))
        n--;
    return n - line->prefix == 2 && memcmp(line->text + line->prefix, "$$", 2) == 0;
}

/* The length of the fence that a line begins or ends with; *character: what it is made of. */
static size_t fence(const struct line *line, char *character)
{
    size_t n = 0;

    if (line->prefix >= line->n)
        return 0;
    *character = line->text[line->prefix];
    while (line->prefix + n < line->n && line->text[line->prefix + n] == *character)
        n++;
    return n >= 3 && (*character == '`' || *character == '~') ? n : 0;
}

/* The place after the line of $$ that ends the block which begins after `at`; 0: there is none.
 * *ticks: the longest sequence of backticks in it. */
static size_t block_end(const struct buf *text, size_t at, size_t *ticks)
{
    *ticks = 2;
    while (at < text->len) {
        struct line line = line_at(text, at);
        size_t run = 0;

        if (is_dollars(&line))
            return at;
        for (size_t i = 0; i < line.n; i++) {
            run = line.text[i] == '`' ? run + 1 : 0;
            *ticks = run > *ticks ? run : *ticks;
        }
        at += line.total;
    }
    return 0;
}

static void put_fence(struct buf *out, const struct line *line, size_t ticks, const char *info)
{
    buf_put(out, line->text, line->prefix);
    for (size_t i = 0; i <= ticks; i++)
        buf_putc(out, '`');
    buf_puts(out, info);
    buf_putc(out, '\n');
}

/* Reads the definitions of a block before anything is shown. What is wrong with them is reported
 * when the block is. */
static void read_definitions(struct formulas *formulas, const char *text, size_t n)
{
    AUTO_BUF struct buf ignored = BUF_EMPTY;
    struct err err;
    bool defines;

    tex_macros_expand(&formulas->macros, text, n, &ignored, &defines, &err);
}

void formulas_mark_blocks(struct formulas *formulas, struct buf *text)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t fenced = 0, ticks = 0, closed;
    bool none_left = false, item = false;
    char open = 0, character = 0;

    for (size_t at = 0; at < text->len;) {
        struct line line = line_at(text, at);
        size_t n = fence(&line, &character), end = 0;

        item = in_list(&line, item);
        if (fenced > 0) {
            if (n >= fenced && character == open)
                fenced = 0;
        } else if (n > 0) {
            fenced = n;
            open = character;
        } else if (!none_left && is_dollars(&line) && (item || !is_indented_code(&line))) {
            end = block_end(text, at + line.total, &ticks);
            none_left = end == 0;
        }
        if (end == 0) {
            buf_put(&out, line.text, line.total);
            at += line.total;
            continue;
        }
        read_definitions(formulas, text->data + at + line.total, end - at - line.total);
        put_fence(&out, &line, ticks, "math");
        buf_put(&out, text->data + at + line.total, end - at - line.total);
        line = line_at(text, end);
        closed = line.total;
        put_fence(&out, &line, ticks, "");
        at = end + closed;
    }
    if (!out.failed) {
        struct buf old = *text;

        *text = out;
        out = old;
    }
}
