#include "write/markup/html.h"

#include <math.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "write/markup/formula_text.h"

/* Colours follow the system's theme; print and narrow windows need no further rules. */
#define STYLE                                                                                      \
    ":root{color-scheme:light dark}"                                                               \
    "body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:48rem;padding:1rem}"          \
    "img{height:auto;max-width:100%}"                                                              \
    "table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}"                  \
    "th,td{border:1px solid #8888;padding:.25rem .5rem;vertical-align:top}"                        \
    "pre{overflow-x:auto}"                                                                         \
    "th{text-align:start}td p,th p,li p{margin:0}.c{text-align:center}.r{text-align:end}"          \
    "ul.l{list-style:none}"

static struct html *html_of(struct markup *markup)
{
    return markup->own;
}

static void put_escaped_html(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char) text[i] >= ' ')
            buf_put_markup(out, text[i]);
        else if (text[i] == '\t')
            buf_putc(out, ' ');
}

/* A language tag is letters, digits and hyphens (RFC 5646, 2.1). */
static bool is_language(const char *tag)
{
    return *tag && strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") ==
                       strlen(tag);
}

static void begin_html(struct markup *markup)
{
    struct buf *out = markup->out;
    const char *language = markup->facts->language;
    const char *title = *markup->facts->title ? markup->facts->title : html_of(markup)->title;

    buf_puts(out, "<!doctype html>\n<html");
    if (is_language(language))
        buf_printf(out, " lang=\"%s\"", language);
    buf_puts(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "img-src data:; style-src 'unsafe-inline'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_escaped_html(out, title, strlen(title));
    buf_puts(out, "</title>\n<style>" STYLE "</style>\n</head>\n<body>\n<main>\n");
}

static void pop_list(struct markup *markup)
{
    struct html *html = html_of(markup);

    html->n_lists--;
    buf_puts(markup->out, html->lists[html->n_lists].ordered ? "</li></ol>\n" : "</li></ul>\n");
}

static void close_lists(struct markup *markup, int n)
{
    while (html_of(markup)->n_lists > n)
        pop_list(markup);
}

static void push_list(struct markup *markup, const struct markup_paragraph *p)
{
    struct html *html = html_of(markup);
    enum label_kind kind = p->label->kind;
    const char *type = kind == LABEL_LOWER   ? " type=\"a\""
                       : kind == LABEL_UPPER ? " type=\"A\""
                       : kind == LABEL_ROMAN ? " type=\"i\""
                                             : "";
    bool ordered = kind == LABEL_DECIMAL || *type;

    html->lists[html->n_lists++] = (struct html_list){ .list = p->list, .ordered = ordered };
    if (!ordered)
        buf_puts(markup->out, kind == LABEL_OUTLINE || markup_says_something(p->label)
                                  ? "<ul class=\"l\">"
                                  : "<ul>");
    else if (p->value == 1)
        buf_printf(markup->out, "<ol%s>", type);
    else
        buf_printf(markup->out, "<ol%s start=\"%d\">", type, p->value);
}

static void open_item(struct markup *markup, const struct markup_paragraph *p)
{
    struct html *html = html_of(markup);
    char label[32];

    if (html->n_lists && html->lists[html->n_lists - 1].list != p->list)
        close_lists(markup, 0);
    close_lists(markup, p->level + 1);
    if (html->n_lists == p->level + 1)
        buf_puts(markup->out, "</li>\n");
    while (html->n_lists < p->level + 1) {
        push_list(markup, p);
        if (html->n_lists < p->level + 1)
            buf_puts(markup->out, "<li>");
    }
    buf_puts(markup->out, "<li>");
    if (p->label->kind == LABEL_OUTLINE || markup_says_something(p->label)) {
        markup_label(p, label, sizeof label);
        put_escaped_html(markup->out, label, strlen(label));
        buf_putc(markup->out, ' ');
    }
}

static void open_block(struct markup *markup, const struct markup_paragraph *p)
{
    static const char *const aligns[] = { "", " class=\"c\"", " class=\"r\"", "" };

    if (p->block == MARKUP_ITEM) {
        open_item(markup, p);
        return;
    }
    if (html_of(markup)->unwrapped)
        return;
    close_lists(markup, 0);
    if (p->block == MARKUP_HEADING)
        buf_printf(markup->out, "<h%d", p->heading);
    else
        buf_puts(markup->out, "<p");
    buf_printf(markup->out, "%s%s>", p->rtl ? " dir=\"rtl\"" : "", aligns[p->align]);
}

static void close_block(struct markup *markup, const struct markup_paragraph *p)
{
    if (html_of(markup)->unwrapped)
        return;
    if (p->block == MARKUP_HEADING)
        buf_printf(markup->out, "</h%d>\n", p->heading);
    else if (p->block == MARKUP_PARAGRAPH)
        buf_puts(markup->out, "</p>\n");
}

/* Writes the targets of links within the document. */
static void page(struct markup *markup)
{
    if (!markup->is_open)
        close_lists(markup, 0);
    buf_printf(markup->out, "<a id=\"page-%zu\"></a>", markup->content->number + 1);
    if (!markup->is_open)
        buf_putc(markup->out, '\n');
}

static void put_html_text(struct markup *markup, const char *text, size_t n,
                          const struct markup_style *style)
{
    struct buf *out = markup->out;
    bool heading = markup->is_open && markup->paragraph.block == MARKUP_HEADING;
    size_t kept = n; /* without the blanks at the end of code */
    const struct {
        bool on;
        const char *element;
    } elements[] = { { style->typed, "code" },
                     { style->bold && !heading && !html_of(markup)->in_head, "b" },
                     { style->italic, "i" },
                     { style->underline && !style->uri && !style->page, "u" },
                     { style->strike, "s" },
                     { style->script == SCRIPT_SUPER, "sup" },
                     { style->script == SCRIPT_SUB, "sub" } };

    if (style->uri) {
        buf_puts(out, "<a href=\"");
        put_escaped_html(out, style->uri, strlen(style->uri));
        buf_puts(out, "\">");
    } else if (style->page) {
        buf_printf(out, "<a href=\"#page-%zu\">", style->page);
    }
    for (size_t i = 0; i < COUNT(elements); i++)
        if (elements[i].on)
            buf_printf(out, "<%s>", elements[i].element);
    while (style->typed && kept && text[kept - 1] == ' ')
        kept--;
    put_escaped_html(out, text, kept);
    for (size_t i = COUNT(elements); i-- > 0;)
        if (elements[i].on)
            buf_printf(out, "</%s>", elements[i].element);
    put_escaped_html(out, text + kept, n - kept);
    if (style->uri || style->page)
        buf_puts(out, "</a>");
}

static void put_listing(struct markup *markup, const char *text, size_t n)
{
    close_lists(markup, 0);
    buf_puts(markup->out, "<pre><code>");
    for (size_t i = 0; i < n; i++)
        buf_put_markup(markup->out, text[i]);
    buf_puts(markup->out, "</code></pre>\n");
}

static void put_formula(struct markup *markup, const struct formula *formula)
{
    buf_puts(markup->out, "<math>");
    formula_text_mathml(formula, markup->out);
    buf_puts(markup->out, "</math>");
}

static void put_html_mark(struct markup *markup, unsigned number, const struct run *run)
{
    buf_printf(markup->out, "<sup><a href=\"#note-%u\" id=\"mark-%u\" role=\"doc-noteref\">",
               number, number);
    put_escaped_html(markup->out, run->text, run->len);
    buf_puts(markup->out, "</a></sup>");
}

static void open_note(struct markup *markup, unsigned number)
{
    buf_printf(markup->out, "<li id=\"note-%u\">", number);
}

static void close_note(struct markup *markup, unsigned number)
{
    buf_printf(markup->out, " <a href=\"#mark-%u\" role=\"doc-backlink\">\xe2\x86\xa9</a></li>\n",
               number);
}

static bool is_right(const struct cell *cell)
{
    return cell->n_blocks && cell->blocks->kind == BLOCK_PARAGRAPH &&
           cell->blocks->paragraph.align == ALIGN_RIGHT;
}

static void put_cell(struct markup *markup, const struct cell *cell, bool head)
{
    struct html *html = html_of(markup);
    struct html_list lists[NUMBERING_LEVELS];
    int n_lists = html->n_lists;
    bool in_head = html->in_head, unwrapped = html->unwrapped;
    struct buf *out = markup->out;
    const char *element = head ? "th" : "td";

    buf_printf(out, "<%s", element);
    if (head)
        buf_puts(out, cell->columns > 1 ? " scope=\"colgroup\"" : " scope=\"col\"");
    if (cell->columns > 1)
        buf_printf(out, " colspan=\"%zu\"", cell->columns);
    if (cell->rows > 1)
        buf_printf(out, " rowspan=\"%zu\"", cell->rows);
    if (is_right(cell))
        buf_puts(out, " class=\"r\"");
    buf_putc(out, '>');
    memcpy(lists, html->lists, sizeof lists);
    html->n_lists = 0;
    html->in_head = head;
    html->unwrapped = cell->n_blocks == 1 && cell->blocks->kind == BLOCK_PARAGRAPH &&
                      !cell->blocks->paragraph.list;
    markup_blocks(markup, cell->blocks, cell->n_blocks);
    close_lists(markup, 0);
    memcpy(html->lists, lists, sizeof lists);
    html->n_lists = n_lists;
    html->in_head = in_head;
    html->unwrapped = unwrapped;
    buf_printf(out, "</%s>", element);
}

static void end_table(struct markup *markup)
{
    buf_puts(markup->out, "</tbody>\n</table>\n");
}

static void put_html_table(struct markup *markup, const struct table *table, bool rest)
{
    struct buf *out = markup->out;
    size_t head = rest ? 0 : table->n_heads, at = 0;
    size_t from = rest ? table->repeated : 0;

    close_lists(markup, 0);
    if (!rest)
        buf_printf(out, "<table%s>\n<%s>\n", table->rtl ? " dir=\"rtl\"" : "",
                   head ? "thead" : "tbody");
    while (at < table->n_cells && table->cells[at].row < from)
        at++;
    for (size_t r = from; r < table->n_rows; r++) {
        if (head && r == head)
            buf_puts(out, "</thead>\n<tbody>\n");
        buf_puts(out, "<tr>");
        for (; at < table->n_cells && table->cells[at].row <= r; at++)
            put_cell(markup, &table->cells[at], r < head);
        buf_puts(out, "</tr>\n");
    }
    if (!table->continued)
        end_table(markup);
}

static int put_picture(struct markup *markup, const struct page_picture *picture, struct err *err)
{
    struct html *html = html_of(markup);
    struct buf *out = markup->out;

    (void) err;
    if (!html->pictures)
        return 0;
    close_lists(markup, 0);
    buf_printf(out, "<p><img width=\"%ld\" height=\"%ld\" alt=\"",
               lroundf(area_width(&picture->area) * 96 / 72),
               lroundf(area_height(&picture->area) * 96 / 72));
    if (picture->text)
        put_escaped_html(out, picture->text, strlen(picture->text));
    else
        buf_printf(out, "Image %u", ++html->n_pictures);
    buf_printf(out, "\" src=\"data:image/%s;base64,",
               strcmp(picture->extension, "jpg") == 0 ? "jpeg" : picture->extension);
    base64_put(picture->bytes, picture->n_bytes, out);
    buf_puts(out, "\"></p>\n");
    return 1;
}

static void end_html(struct markup *markup)
{
    struct buf *out = markup->out;

    close_lists(markup, 0);
    if (markup->notes.len) {
        buf_puts(out, "<hr>\n<section role=\"doc-endnotes\">\n<ol>\n");
        buf_put(out, markup->notes.data, markup->notes.len);
        buf_puts(out, "</ol>\n</section>\n");
    }
    buf_puts(out, "</main>\n</body>\n</html>\n");
}

static const struct markup_format format = {
    .begin = begin_html,
    .end = end_html,
    .page = page,
    .open = open_block,
    .close = close_block,
    .text = put_html_text,
    .formula = put_formula,
    .mark = put_html_mark,
    .note_open = open_note,
    .note_close = close_note,
    .table = put_html_table,
    .table_end = end_table,
    .listing = put_listing,
    .picture = put_picture,
};

struct writer html_writer(struct html *html)
{
    html->markup.format = &format;
    html->markup.own = html;
    return markup_writer(&html->markup);
}

void html_table(struct markup *markup, const struct table *table, bool rest)
{
    const struct markup_format *own_format = markup->format;
    void *own = markup->own;
    struct html html = { 0 };

    markup->format = &format;
    markup->own = &html;
    put_html_table(markup, table, rest);
    markup->format = own_format;
    markup->own = own;
}

void html_table_end(struct markup *markup)
{
    end_table(markup);
}
