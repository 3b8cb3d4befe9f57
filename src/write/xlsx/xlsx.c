#include "write/xlsx/xlsx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "layout/page/unicode.h"
#include "write/xlsx/workbook.h"

#define KEPT_LINES 100000 /* lines of text that are kept in case there is no table */
#define DEPTH      8      /* limit of nested tables */

struct xlsx {
    const char *path;
    enum xlsx_layout layout;
    struct workbook *workbook;
    const struct document_facts *facts;
    const struct page_font *fonts;
    struct value_usage usage; /* of all tables so far */
    size_t n_tables, page;
    bool page_sheet;  /* the page has a sheet */
    struct buf lines; /* lines of text so far, kept while there is no table */
    size_t n_lines;
};

struct xlsx *xlsx_new(const char *path, enum xlsx_layout layout, struct err *err)
{
    struct xlsx *xlsx = calloc(1, sizeof *xlsx);

    if (!xlsx) {
        err_sys(err, "workbook");
        return NULL;
    }
    xlsx->path = path;
    xlsx->layout = layout;
    return xlsx;
}

void xlsx_free(struct xlsx *xlsx)
{
    if (!xlsx)
        return;
    workbook_free(xlsx->workbook);
    buf_free(&xlsx->lines);
    free(xlsx);
}

size_t xlsx_tables(const struct xlsx *xlsx)
{
    return xlsx->n_tables;
}

static int open_workbook(void *to, const struct document_facts *facts,
                         const struct numbering *numbering, struct err *err)
{
    struct xlsx *xlsx = to;

    (void) numbering;
    xlsx->facts = facts;
    xlsx->workbook = workbook_open(xlsx->path, err);
    return xlsx->workbook ? 0 : -1;
}

/* Raised digits stay raised, so that the mark of a note does not become a part of a number. */
static void add_raised(char c, struct buf *out)
{
    static const char *const digits[] = { "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",
                                          "\xc2\xb3",     "\xe2\x81\xb4", "\xe2\x81\xb5",
                                          "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8",
                                          "\xe2\x81\xb9" };

    if (c >= '0' && c <= '9')
        buf_puts(out, digits[c - '0']);
    else
        buf_putc(out, c);
}

static void add_run(const struct run *run, struct buf *out)
{
    if (run->style.script == SCRIPT_SUPER && unicode_put_raised(run->text, run->len, out))
        return;
    for (size_t k = 0; k < run->len; k++) {
        const char *c = &run->text[k];

        /* Soft hyphens are for programs that break lines. */
        if (k + 1 < run->len && c[0] == '\xc2' && c[1] == '\xad')
            k++;
        else if (run->style.script == SCRIPT_SUPER)
            add_raised(*c, out);
        else
            buf_putc(out, *c == '\t' ? ' ' : *c);
    }
}

static void add_paragraph(const struct paragraph *p, struct buf *out)
{
    if (out->len)
        buf_putc(out, '\n');
    for (size_t i = 0; i < p->n_runs; i++)
        add_run(&p->runs[i], out);
}

static void add_blocks(const struct block *blocks, size_t n, int depth, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct table *table = &blocks[i].table;

        if (blocks[i].kind == BLOCK_PARAGRAPH)
            add_paragraph(&blocks[i].paragraph, out);
        for (size_t k = 0; blocks[i].kind == BLOCK_TABLE && depth < DEPTH && k < table->n_cells;
             k++)
            add_blocks(table->cells[k].blocks, table->cells[k].n_blocks, depth + 1, out);
    }
}

static struct cell_style style_of(const struct xlsx *xlsx, const struct cell *cell, bool lines)
{
    static const enum style_align aligns[] = { STYLE_GENERAL, STYLE_CENTER, STYLE_RIGHT,
                                               STYLE_GENERAL };
    const struct paragraph *p =
        cell->n_blocks && cell->blocks->kind == BLOCK_PARAGRAPH ? &cell->blocks->paragraph : NULL;
    struct cell_style style = { .wrap = lines,
                                .fill = cell->shade,
                                .bold = p && p->n_runs > 0,
                                .italic = p && p->n_runs > 0,
                                .align = p ? aligns[p->align] : STYLE_GENERAL };

    for (size_t i = 0; p && i < p->n_runs; i++) {
        style.bold = style.bold && xlsx->fonts[p->runs[i].style.font].bold;
        style.italic = style.italic && xlsx->fonts[p->runs[i].style.font].italic;
    }
    style.borders =
        (cell->top.width > 0 ? BORDER_TOP : 0U) | (cell->left.width > 0 ? BORDER_LEFT : 0U) |
        (cell->bottom.width > 0 ? BORDER_BOTTOM : 0U) | (cell->right.width > 0 ? BORDER_RIGHT : 0U);
    return style;
}

/* A table's texts, and their notation of numbers. */
struct contents {
    struct buf *texts; /* of its cells */
    bool *numbers;     /* columns that mostly have numbers */
    struct value_usage usage;
};

static void free_contents(struct contents *contents, size_t n)
{
    for (size_t i = 0; contents->texts && i < n; i++)
        buf_free(&contents->texts[i]);
    free(contents->texts);
    free(contents->numbers);
}

/* The notation of the table's own numbers; if they are ambiguous, that of earlier tables. */
static const struct value_usage *usage_of(const struct xlsx *xlsx, const struct contents *contents)
{
    const struct value_usage *own = &contents->usage;
    bool is_clear =
        own->point_decimals != own->comma_decimals || own->day_first || own->month_first;

    return is_clear ? own : &xlsx->usage;
}

static struct value value_of(const struct xlsx *xlsx, const struct contents *contents,
                             const struct table *table, size_t i)
{
    return value_read(buf_text(&contents->texts[i]), contents->texts[i].len,
                      usage_of(xlsx, contents), xlsx->facts->language,
                      contents->numbers[table->cells[i].column]);
}

static int read_contents(struct xlsx *xlsx, const struct table *table, struct contents *contents,
                         struct err *err)
{
    AUTO_FREE size_t *counts = calloc(table->n_columns + 1, 2 * sizeof *counts);

    contents->texts = calloc(table->n_cells + 1, sizeof *contents->texts);
    contents->numbers = calloc(table->n_columns + 1, sizeof *contents->numbers);
    if (!counts || !contents->texts || !contents->numbers)
        return err_sys(err, "table");
    for (size_t i = 0; i < table->n_cells; i++) {
        struct buf *text = &contents->texts[i];

        add_blocks(table->cells[i].blocks, table->cells[i].n_blocks, 0, text);
        if (text->failed)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the table is too large");
        value_learn(&contents->usage, buf_text(text), text->len);
        value_learn(&xlsx->usage, buf_text(text), text->len);
    }
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t *count = &counts[2 * table->cells[i].column];

        count[0] += contents->texts[i].len > 0;
        count[1] += value_of(xlsx, contents, table, i).kind == VALUE_NUMBER;
    }
    for (size_t c = 0; c < table->n_columns; c++)
        contents->numbers[c] = counts[2 * c + 1] * 2 > counts[2 * c];
    return 0;
}

static void put_cell(struct xlsx *xlsx, const struct table *table, const struct contents *contents,
                     size_t i)
{
    const struct cell *cell = &table->cells[i];
    const struct buf *text = &contents->texts[i];
    struct cell_style style = style_of(xlsx, cell, memchr(buf_text(text), '\n', text->len) != NULL);
    struct value value = value_of(xlsx, contents, table, i);

    snprintf(style.format, sizeof style.format, "%s", value.format);
    workbook_cell(xlsx->workbook, cell->column, buf_text(text), text->len, &value, &style);
    if (cell->columns > 1 || cell->rows > 1)
        workbook_merge(xlsx->workbook, cell->column, cell->columns, cell->rows);
}

/* Writes rows from `from` on; false: the sheet is full. */
static bool put_rows(struct xlsx *xlsx, const struct table *table, const struct contents *contents,
                     size_t from)
{
    for (size_t r = from, at = 0; r < table->n_rows; r++) {
        if (!workbook_row(xlsx->workbook))
            return false;
        while (at < table->n_cells && table->cells[at].row < r)
            at++;
        for (; at < table->n_cells && table->cells[at].row == r; at++)
            put_cell(xlsx, table, contents, at);
    }
    return true;
}

static int begin_sheet(struct xlsx *xlsx, struct err *err)
{
    char name[40];

    if (xlsx->layout == XLSX_TABLES)
        snprintf(name, sizeof name, "Table %zu", xlsx->n_tables);
    else if (xlsx->layout == XLSX_ONE)
        snprintf(name, sizeof name, "Tables");
    else
        snprintf(name, sizeof name, "Page %zu", xlsx->page);
    return workbook_sheet(xlsx->workbook, name, err);
}

/* Finds the sheet for the table, and adds a blank row below what is there. */
static int find_place(struct xlsx *xlsx, struct err *err)
{
    bool new_sheet = xlsx->layout == XLSX_TABLES ||
                     (xlsx->layout == XLSX_ONE ? xlsx->n_tables == 1 : !xlsx->page_sheet);

    if (new_sheet) {
        xlsx->page_sheet = true;
        return begin_sheet(xlsx, err);
    }
    if (workbook_rows(xlsx->workbook))
        workbook_row(xlsx->workbook);
    return 0;
}

static int put_contents(struct xlsx *xlsx, const struct table *table,
                        const struct contents *contents, struct err *err)
{
    size_t from = 0;

    if (table->continues && xlsx->n_tables &&
        (xlsx->layout == XLSX_TABLES || xlsx->layout == XLSX_ONE)) {
        from = table->repeated;
    } else {
        xlsx->n_tables++;
        if (find_place(xlsx, err) < 0)
            return -1;
        if (table->rtl)
            workbook_from_right(xlsx->workbook);
        if (xlsx->layout == XLSX_TABLES)
            workbook_freeze(xlsx->workbook, table->n_heads);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        workbook_width(xlsx->workbook, i, table->widths[i]);
    if (!put_rows(xlsx, table, contents, from))
        return err_set(err, ERR_LIMIT_EXCEEDED, "a sheet would have more than %d rows",
                       WORKBOOK_ROWS);
    return 0;
}

static int put_sheet_table(struct xlsx *xlsx, const struct table *table, struct err *err)
{
    struct contents contents = { 0 };
    int done = read_contents(xlsx, table, &contents, err);

    if (done == 0)
        done = put_contents(xlsx, table, &contents, err);
    free_contents(&contents, table->n_cells);
    return done;
}

/* Writes a line of text in a row of its own; begins the page's sheet if necessary. */
static int put_sheet_line(struct xlsx *xlsx, const char *text, size_t n, struct err *err)
{
    static const struct value value = { .kind = VALUE_TEXT };
    static const struct cell_style style = { .fill = UINT32_MAX };

    if (!xlsx->page_sheet && begin_sheet(xlsx, err) < 0)
        return -1;
    xlsx->page_sheet = true;
    if (!workbook_row(xlsx->workbook))
        return err_set(err, ERR_LIMIT_EXCEEDED, "a sheet would have more than %d rows",
                       WORKBOOK_ROWS);
    workbook_cell(xlsx->workbook, 0, text, n, &value, &style);
    return 0;
}

static int put_paragraph(struct xlsx *xlsx, const struct paragraph *p, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (p->n_runs == 0 || (xlsx->layout != XLSX_ALL && xlsx->n_tables > 0))
        return 0;
    add_paragraph(p, &text);
    if (xlsx->layout == XLSX_ALL)
        return put_sheet_line(xlsx, buf_text(&text), text.len, err);
    if (xlsx->n_lines < KEPT_LINES) {
        buf_put(&xlsx->lines, text.data, text.len);
        buf_putc(&xlsx->lines, '\n');
        xlsx->n_lines++;
    }
    return 0;
}

static int put_block(struct xlsx *xlsx, const struct block *block, struct err *err)
{
    if (block->kind == BLOCK_PARAGRAPH)
        return put_paragraph(xlsx, &block->paragraph, err);
    if (block->kind == BLOCK_TABLE)
        return put_sheet_table(xlsx, &block->table, err);
    return 0;
}

static int write_workbook_page(void *to, const struct page *page,
                               const struct page_content *content, struct err *err)
{
    struct xlsx *xlsx = to;

    xlsx->fonts = content->fonts;
    xlsx->page = content->number + 1;
    xlsx->page_sheet = false;
    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++)
            if (put_block(xlsx, &page->sections[i].blocks.items[k], err) < 0)
                return -1;
    return 0;
}

/* Writes a document without tables. */
static int put_kept_lines(struct xlsx *xlsx, struct err *err)
{
    const char *at = buf_text(&xlsx->lines);

    if (xlsx->lines.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the text is too large");
    if (workbook_sheet(xlsx->workbook, "Text", err) < 0)
        return -1;
    xlsx->page_sheet = true;
    for (size_t n; *at; at += n + 1) {
        n = strcspn(at, "\n");
        if (put_sheet_line(xlsx, at, n, err) < 0)
            return -1;
    }
    return 0;
}

static int end_document(void *to, const struct header_sets *headers, const struct page_font *fonts,
                        struct err *err)
{
    struct xlsx *xlsx = to;

    (void) headers;
    (void) fonts;
    if (xlsx->n_tables == 0 && (xlsx->layout != XLSX_ALL || !workbook_rows(xlsx->workbook)) &&
        put_kept_lines(xlsx, err) < 0)
        return -1;
    return workbook_end(xlsx->workbook, err);
}

struct writer xlsx_writer(struct xlsx *xlsx)
{
    return (struct writer){ open_workbook, write_workbook_page, end_document, xlsx };
}
