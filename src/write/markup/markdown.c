#include "write/markup/markdown.h"

#include <ctype.h>
#include <string.h>

#include "base/scope.h"
#include "layout/page/unicode.h"
#include "write/markup/formula_text.h"
#include "write/markup/html.h"

#define INDENT 4 /* columns for each level of a list */

static struct markdown *markdown_of(struct markup *markup)
{
    return markup->own;
}

static void begin_markdown(struct markup *markup)
{
    markdown_of(markup)->any = false;
}

static void page(struct markup *markup)
{
    (void) markup;
}

/* A blank line between blocks, none between the items of a list. */
static void separate(struct markup *markup, enum markup_block next)
{
    struct markdown *md = markdown_of(markup);

    if (md->any && !(next == MARKUP_ITEM && md->last == MARKUP_ITEM))
        buf_putc(markup->out, '\n');
    md->any = true;
    md->last = next;
}

static void put_indent(struct buf *out, int n)
{
    while (n-- > 0)
        buf_putc(out, ' ');
}

static void put_item(struct markup *markup, const struct markup_paragraph *p)
{
    char label[32];

    put_indent(markup->out, p->level * INDENT);
    if (p->label->kind == LABEL_DECIMAL && p->value >= 0)
        buf_printf(markup->out, "%d%c ", p->value, p->label->close == ')' ? ')' : '.');
    else
        buf_puts(markup->out, "- ");
    if (p->label->kind == LABEL_DECIMAL ||
        (p->label->kind == LABEL_BULLET && !markup_says_something(p->label)))
        return;
    /* CommonMark has no other numbering styles, and no bullets of one's own: the label is text. */
    markup_label(p, label, sizeof label);
    buf_printf(markup->out, "%s ", label);
}

static void open_block(struct markup *markup, const struct markup_paragraph *p)
{
    struct markdown *md = markdown_of(markup);

    md->line_start = true;
    if (md->in_cell) {
        char label[32];

        if (markup->out->len > md->cell_from)
            buf_puts(markup->out, "<br>");
        if (p->block == MARKUP_ITEM) {
            markup_label(p, label, sizeof label);
            buf_printf(markup->out, "%s ", label);
            md->line_start = false;
        }
        return;
    }
    separate(markup, p->block);
    if (p->block == MARKUP_HEADING) {
        for (int i = 0; i < p->heading; i++)
            buf_putc(markup->out, '#');
        buf_putc(markup->out, ' ');
        md->line_start = false;
    } else if (p->block == MARKUP_ITEM) {
        put_item(markup, p);
    }
}

static void close_block(struct markup *markup, const struct markup_paragraph *p)
{
    (void) p;
    if (!markdown_of(markup)->in_cell)
        buf_putc(markup->out, '\n');
}

/* Escapes characters that would begin a heading, a list, a quotation or a rule at the start of a
 * line. */
static void put_line_start(struct buf *out, const char *text, size_t n)
{
    size_t digits = 0;

    if (n && strchr("#+-=>", *text)) {
        buf_putc(out, '\\');
        return;
    }
    while (digits < n && isdigit((unsigned char) text[digits]))
        digits++;
    if (digits && digits < n && (text[digits] == '.' || text[digits] == ')') &&
        (digits + 1 == n || text[digits + 1] == ' ')) {
        buf_put(out, text, digits);
        buf_putc(out, '\\');
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_word(const char *text, size_t n, size_t i)
{
    return i < n && (isalnum((unsigned char) text[i]) || (unsigned char) text[i] >= 0x80);
}

static void put_escaped_markdown(struct markup *markup, const char *text, size_t n)
{
    struct markdown *md = markdown_of(markup);
    struct buf *out = markup->out;
    size_t from = 0;

    if (md->line_start && !md->in_cell) {
        size_t before = out->len;

        put_line_start(out, text, n);
        /* The digits of a number that is not of a list are written already. */
        from = out->len - before;
        from = from ? from - 1 : 0;
    }
    md->line_start = false;
    for (size_t i = from; i < n; i++) {
        char c = text[i];
        bool escape = c == '\\' || c == '`' || c == '*' || c == '[' || c == ']' || c == '<' ||
                      c == '~' || c == '$' || c == '|';

        escape =
            escape || (c == '_' && !(i > 0 && is_word(text, n, i - 1) && is_word(text, n, i + 1)));
        escape = escape || (c == '&' && i + 1 < n &&
                            (isalpha((unsigned char) text[i + 1]) || text[i + 1] == '#'));
        if (escape)
            buf_putc(out, '\\');
        buf_putc(out, c == '\t' ? ' ' : c);
    }
}

/* Whether a character of punctuation begins at `text`: of ASCII, Latin-1 or the block General
 * Punctuation (U+2000 to U+206F). */
static bool is_punctuation(const char *text, size_t n)
{
    unsigned char c = n ? (unsigned char) *text : ' ', next = n > 1 ? (unsigned char) text[1] : 0;

    return ispunct(c) || (c == 0xc2 && next < 0xc0) ||
           (c == 0xe2 && (next == 0x80 || (next == 0x81 && n > 2)));
}

/* Where the last character of a text begins. */
static size_t last_of(const char *text, size_t n)
{
    size_t at = n - 1;

    while (at > 0 && ((unsigned char) text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* Whether asterisks before and after a stretch mean emphasis (CommonMark, 6.2): not where it begins
 * or ends with punctuation within a word, nor next to other asterisks. */
static bool can_asterisks(const struct markup *markup, const char *text, size_t n, char after)
{
    const struct buf *out = markup->out;
    char before = out->len ? out->data[out->len - 1] : '\n';
    size_t last = last_of(text, n);
    bool ends = after == '\0' || is_blank(after) || ispunct((unsigned char) after);

    if (before == '*' || before == '\\')
        return false;
    if (is_punctuation(text, n) && !isspace((unsigned char) before) &&
        !ispunct((unsigned char) before))
        return false;
    return ends || !is_punctuation(text + last, n - last);
}

/* A stretch that asterisks cannot mark is marked by HTML elements. */
static void put_emphasis(struct markup *markup, const char *text, size_t n, bool bold, bool italic,
                         char after)
{
    struct buf *out = markup->out;
    bool plain = can_asterisks(markup, text, n, after);
    const char *open = plain ? (bold && italic ? "***"
                                : bold         ? "**"
                                               : "*")
                             : (bold && italic ? "<b><i>"
                                : bold         ? "<b>"
                                               : "<i>");
    const char *close = plain ? open : (bold && italic ? "</i></b>" : bold ? "</b>" : "</i>");

    markdown_of(markup)->line_start = false;
    buf_puts(out, open);
    put_escaped_markdown(markup, text, n);
    buf_puts(out, close);
}

/* The most backticks in a row. */
static size_t most_ticks(const char *text, size_t n)
{
    size_t most = 0, row = 0;

    for (size_t i = 0; i < n; i++) {
        row = text[i] == '`' ? row + 1 : 0;
        most = row > most ? row : most;
    }
    return most;
}

static void put_ticks(struct buf *out, size_t n)
{
    while (n-- > 0)
        buf_putc(out, '`');
}

/* Nothing is escaped in a code span but the borders of a table's cell. */
static void put_code(struct markup *markup, const char *text, size_t n)
{
    struct buf *out = markup->out;
    size_t ticks = most_ticks(text, n);
    bool apart = *text == '`' || text[n - 1] == '`';

    markdown_of(markup)->line_start = false;
    put_ticks(out, ticks + 1);
    buf_puts(out, apart ? " " : "");
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '|' && markdown_of(markup)->in_cell)
            buf_putc(out, '\\');
        buf_putc(out, text[i] == '\t' ? ' ' : text[i]);
    }
    buf_puts(out, apart ? " " : "");
    put_ticks(out, ticks + 1);
}

static void put_listing(struct markup *markup, const char *text, size_t n)
{
    size_t ticks = most_ticks(text, n);

    separate(markup, MARKUP_PARAGRAPH);
    ticks = ticks < 3 ? 3 : ticks + 1;
    put_ticks(markup->out, ticks);
    buf_putc(markup->out, '\n');
    buf_put(markup->out, text, n);
    put_ticks(markup->out, ticks);
    buf_putc(markup->out, '\n');
}

static void put_uri(struct buf *out, const char *uri)
{
    for (; *uri; uri++)
        if ((unsigned char) *uri <= ' ' || strchr("()<>\\|", *uri))
            buf_printf(out, "%%%02X", (unsigned char) *uri);
        else
            buf_putc(out, *uri);
}

static void put_styled(struct markup *markup, const char *text, size_t n,
                       const struct markup_style *style, char after)
{
    bool heading = markdown_of(markup)->in_head ||
                   (markup->is_open && markup->paragraph.block == MARKUP_HEADING);
    bool bold = style->bold && !heading, italic = style->italic;
    const char *script = style->script == SCRIPT_SUPER ? "sup"
                         : style->script == SCRIPT_SUB ? "sub"
                                                       : NULL;

    if (script || style->strike)
        markdown_of(markup)->line_start = false;
    if (style->script == SCRIPT_SUPER && !style->strike && !style->typed &&
        unicode_put_raised(text, n, markup->out))
        return;
    if (script)
        buf_printf(markup->out, "<%s>", script);
    if (style->strike)
        buf_puts(markup->out, "~~");
    if (style->typed && !style->uri)
        put_code(markup, text, n);
    else if (bold || italic)
        put_emphasis(markup, text, n, bold, italic, script || style->strike ? '<' : after);
    else
        put_escaped_markdown(markup, text, n);
    if (style->strike)
        buf_puts(markup->out, "~~");
    if (script)
        buf_printf(markup->out, "</%s>", script);
}

static void put_markdown_text(struct markup *markup, const char *text, size_t n,
                              const struct markup_style *style)
{
    struct buf *out = markup->out;
    size_t first = 0, last = n;

    while (first < n && is_blank(text[first]))
        first++;
    while (last > first && is_blank(text[last - 1]))
        last--;
    /* Blanks are outside of all marks; at the start of a line they would have a meaning. */
    if (first && !markdown_of(markup)->line_start)
        buf_putc(out, ' ');
    if (last == first)
        return;
    if (style->uri) {
        markdown_of(markup)->line_start = false;
        buf_putc(out, '[');
    }
    put_styled(markup, text + first, last - first, style,
               style->uri ? ']'
               : last < n ? ' '
                          : markup->after);
    if (style->uri) {
        buf_puts(out, "](");
        put_uri(out, style->uri);
        buf_putc(out, ')');
    }
    if (last < n)
        buf_putc(out, ' ');
}

static void put_formula(struct markup *markup, const struct formula *formula)
{
    markdown_of(markup)->line_start = false;
    buf_putc(markup->out, '$');
    formula_text_latex(formula, markup->out);
    buf_putc(markup->out, '$');
}

static void put_markdown_mark(struct markup *markup, unsigned number, const struct run *run)
{
    (void) run;
    markdown_of(markup)->line_start = false;
    buf_printf(markup->out, "[^%u]", number);
}

/* A footnote is one line with all its paragraphs. */
static void open_note(struct markup *markup, unsigned number)
{
    buf_printf(markup->out, "[^%u]: ", number);
    markdown_of(markup)->line_start = false;
}

static void close_note(struct markup *markup, unsigned number)
{
    (void) number;
    buf_putc(markup->out, '\n');
}

static const struct cell *cell_from(const struct table *table, size_t row, size_t column)
{
    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row == row && table->cells[i].column == column)
            return &table->cells[i];
    return NULL;
}

/* Right-aligned if most cells of the column are, and so on. */
static enum align column_align(const struct table *table, size_t column)
{
    size_t counts[4] = { 0 };
    enum align most = ALIGN_LEFT;

    for (size_t i = 0; i < table->n_cells; i++) {
        const struct cell *cell = &table->cells[i];

        if (cell->column == column && cell->columns == 1 && cell->row > 0 && cell->n_blocks &&
            cell->blocks->kind == BLOCK_PARAGRAPH)
            counts[cell->blocks->paragraph.align]++;
    }
    for (int i = ALIGN_LEFT; i <= ALIGN_RIGHT; i++)
        if (counts[i] > counts[most])
            most = (enum align) i;
    return most;
}

static void put_cell(struct markup *markup, const struct cell *cell)
{
    struct markdown *md = markdown_of(markup);

    buf_putc(markup->out, ' ');
    if (!cell)
        return;
    md->in_cell = true;
    md->cell_from = markup->out->len;
    markup_blocks(markup, cell->blocks, cell->n_blocks);
    md->in_cell = false;
    buf_putc(markup->out, ' ');
}

static void put_pipes(struct markup *markup, const struct table *table, bool rest)
{
    static const char *const rules[] = { " --- |", " :---: |", " ---: |", " --- |" };

    for (size_t r = rest ? table->repeated : 0; r < table->n_rows; r++) {
        bool head = r == 0 && !rest;

        markdown_of(markup)->in_head = head;
        buf_putc(markup->out, '|');
        for (size_t c = 0; c < table->n_columns; c++) {
            put_cell(markup, cell_from(table, r, c));
            buf_putc(markup->out, '|');
        }
        buf_putc(markup->out, '\n');
        markdown_of(markup)->in_head = false;
        if (!head)
            continue;
        buf_putc(markup->out, '|');
        for (size_t c = 0; c < table->n_columns; c++)
            buf_puts(markup->out, rules[column_align(table, c)]);
        buf_putc(markup->out, '\n');
    }
}

static void put_markdown_table(struct markup *markup, const struct table *table, bool rest)
{
    struct markdown *md = markdown_of(markup);

    if (md->in_cell || table->n_columns < 2) {
        /* A table within a cell, or one that is only a frame, is replaced by its contents. */
        for (size_t i = 0; i < table->n_cells; i++)
            markup_blocks(markup, table->cells[i].blocks, table->cells[i].n_blocks);
        return;
    }
    if (!rest)
        separate(markup, MARKUP_PARAGRAPH);
    if (md->html_tables)
        html_table(markup, table, rest);
    else
        put_pipes(markup, table, rest);
}

static void end_table(struct markup *markup)
{
    if (markdown_of(markup)->html_tables)
        html_table_end(markup);
}

static int put_picture(struct markup *markup, const struct page_picture *picture, struct err *err)
{
    struct markdown *md = markdown_of(markup);
    char name[80];

    if (!md->save || md->in_cell)
        return 0;
    if (md->save(md->hand, picture, name, sizeof name, err) < 0)
        return -1;
    separate(markup, MARKUP_PARAGRAPH);
    buf_puts(markup->out, "![");
    md->line_start = false;
    if (picture->text)
        put_escaped_markdown(markup, picture->text, strcspn(picture->text, "\r\n"));
    buf_printf(markup->out, "](%s)\n", name);
    return 1;
}

static void end_markdown(struct markup *markup)
{
    if (markup->notes.len) {
        buf_putc(markup->out, '\n');
        buf_put(markup->out, markup->notes.data, markup->notes.len);
    }
    if (markup->body.len == 0 && !markup->file)
        buf_putc(markup->out, '\n');
}

struct writer markdown_writer(struct markdown *markdown)
{
    static const struct markup_format format = {
        .begin = begin_markdown,
        .end = end_markdown,
        .page = page,
        .open = open_block,
        .close = close_block,
        .text = put_markdown_text,
        .formula = put_formula,
        .mark = put_markdown_mark,
        .note_open = open_note,
        .note_close = close_note,
        .table = put_markdown_table,
        .table_end = end_table,
        .listing = put_listing,
        .picture = put_picture,
    };

    markdown->markup.format = &format;
    markdown->markup.own = markdown;
    return markup_writer(&markdown->markup);
}
