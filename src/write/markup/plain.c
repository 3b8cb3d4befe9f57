#include "write/markup/plain.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "layout/page/unicode.h"
#include "write/markup/formula_text.h"
#include "write/markup/text_table.h"

#define GAP 2 /* blanks between the columns of a table */

static struct plain *plain_of(struct markup *markup)
{
    return markup->own;
}

static void begin_plain(struct markup *markup)
{
    plain_of(markup)->any = false;
}

static void page(struct markup *markup)
{
    struct plain *plain = plain_of(markup);

    if (!plain->form_feeds || markup->page == 1 || markup->is_open)
        return;
    buf_putc(markup->out, '\f');
    plain->any = false;
}

/* A blank line between blocks, none between the items of a list. */
static void separate(struct markup *markup, enum markup_block next)
{
    struct plain *plain = plain_of(markup);

    if (plain->any && !plain->in_cell && !(next == MARKUP_ITEM && plain->last == MARKUP_ITEM))
        buf_putc(markup->out, '\n');
    plain->any = true;
    plain->last = next;
}

static void open_block(struct markup *markup, const struct markup_paragraph *p)
{
    char label[32];

    separate(markup, p->block);
    if (p->block != MARKUP_ITEM)
        return;
    for (int i = 0; i < p->level; i++)
        buf_puts(markup->out, "   ");
    markup_label(p, label, sizeof label);
    buf_printf(markup->out, "%s ", label);
}

static void close_block(struct markup *markup, const struct markup_paragraph *p)
{
    (void) p;
    buf_putc(markup->out, '\n');
}

/* Whether the text so far ends with the character of a check box or radio button. */
static bool ends_with_box(const struct buf *out)
{
    static const char *const boxes[] = { "\xe2\x98\x90", "\xe2\x98\x92", "\xe2\x97\x89",
                                         "\xe2\x97\x8b" };

    for (size_t i = 0; i < COUNT(boxes) && out->len >= 3; i++)
        if (memcmp(out->data + out->len - 3, boxes[i], 3) == 0)
            return true;
    return false;
}

static void put_plain_text(struct markup *markup, const char *text, size_t n,
                           const struct markup_style *style)
{
    if (style->script == SCRIPT_SUPER) {
        unicode_put_raised_text(text, n, markup->out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\t' && ends_with_box(markup->out))
            buf_putc(markup->out, ' ');
        else if ((unsigned char) text[i] >= ' ' || text[i] == '\t')
            buf_putc(markup->out, text[i]);
}

static void put_listing(struct markup *markup, const char *text, size_t n)
{
    separate(markup, MARKUP_PARAGRAPH);
    buf_put(markup->out, text, n);
}

static void put_formula(struct markup *markup, const struct formula *formula)
{
    formula_text_plain(formula, markup->out);
}

static void put_plain_mark(struct markup *markup, unsigned number, const struct run *run)
{
    (void) run;
    buf_printf(markup->out, "[%u]", number);
}

static void open_note(struct markup *markup, unsigned number)
{
    buf_printf(markup->out, "[%u] ", number);
}

static void close_note(struct markup *markup, unsigned number)
{
    (void) number;
    buf_putc(markup->out, '\n');
}

/* `from`: the first row that is written. */
static void fill_columns(struct markup *markup, const struct table *table, size_t from,
                         struct text_table *made)
{
    struct plain *plain = plain_of(markup);
    struct buf *out = markup->out;

    plain->in_cell = true;
    for (size_t i = 0; i < table->n_cells; i++) {
        const struct cell *cell = &table->cells[i];
        struct text_table_cell *to = &made->cells[made->n_cells];
        bool right = cell->n_blocks && cell->blocks->kind == BLOCK_PARAGRAPH &&
                     cell->blocks->paragraph.align == ALIGN_RIGHT;

        if (cell->row < from)
            continue;
        made->n_cells++;
        markup->out = &to->text;
        markup_blocks(markup, cell->blocks, cell->n_blocks);
        to->row = cell->row - from;
        to->column = cell->column;
        to->span = cell->columns;
        to->right = right;
    }
    plain->in_cell = false;
    markup->out = out;
}

static void put_plain_table(struct markup *markup, const struct table *table, bool rest)
{
    struct plain *plain = plain_of(markup);
    size_t from = rest ? table->repeated : 0;
    struct text_table made = { .n_rows = table->n_rows - from,
                               .n_columns = table->n_columns,
                               .n_cells = table->n_cells };

    if (plain->in_cell || table->n_columns < 2) {
        for (size_t i = 0; i < table->n_cells; i++)
            markup_blocks(markup, table->cells[i].blocks, table->cells[i].n_blocks);
        return;
    }
    if (!rest)
        separate(markup, MARKUP_PARAGRAPH);
    if (!text_table_open(&made)) {
        markup->out->failed = true;
        return;
    }
    made.n_cells = 0;
    fill_columns(markup, table, from, &made);
    text_table_put(&made, GAP, markup->out);
    text_table_free(&made);
}

static void end_plain(struct markup *markup)
{
    struct plain *plain = plain_of(markup);

    if (markup->notes.len) {
        if (plain->any)
            buf_putc(markup->out, '\n');
        buf_put(markup->out, markup->notes.data, markup->notes.len);
    } else if (!plain->any) {
        buf_putc(markup->out, '\n');
    }
}

struct writer plain_writer(struct plain *plain)
{
    static const struct markup_format format = {
        .begin = begin_plain,
        .end = end_plain,
        .page = page,
        .open = open_block,
        .close = close_block,
        .text = put_plain_text,
        .formula = put_formula,
        .mark = put_plain_mark,
        .note_open = open_note,
        .note_close = close_note,
        .table = put_plain_table,
        .listing = put_listing,
    };

    plain->markup.format = &format;
    plain->markup.own = plain;
    return markup_writer(&plain->markup);
}
