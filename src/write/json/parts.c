#include "write/json/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "write/json/emit.h"
#include "write/json/seen.h"
#include "write/json/word_language.h"

/*
 * Ids name the page and the place in it: a word by its number in the order of the file, a line and
 * a block by their first word. So they are the same whatever else is extracted, and from which
 * pages.
 */
static void make_id(char out[static PARTS_ID], const struct page_content *content, char kind,
                    size_t number)
{
    snprintf(out, PARTS_ID, "p%zu%c%zu", content->number + 1, kind, number);
}

static void put_id(struct buf *out, const char *key, const struct page_content *content, char kind,
                   size_t number)
{
    char id[PARTS_ID];

    make_id(id, content, kind, number);
    emit_key(out, key);
    emit_text(out, id, strlen(id));
}

static size_t line_number(const struct reading *r, const struct reading_line *line)
{
    return r->words[line->from].number;
}

void parts_block_id(const struct reading *r, const struct reading_block *block,
                    char out[static PARTS_ID])
{
    if (block->n)
        make_id(out, r->content, 'b', line_number(r, &r->lines[block->from]));
    else if (block->block && block->block->kind == BLOCK_FIGURE)
        make_id(out, r->content, 'i',
                (size_t) (block->block->figure.picture - r->content->pictures));
    else
        make_id(out, r->content, 'e', (size_t) (block - r->blocks));
}

static void put_block_id(struct buf *out, const char *key, const struct reading *r,
                         const struct reading_block *block)
{
    char id[PARTS_ID];

    parts_block_id(r, block, id);
    emit_key(out, key);
    emit_text(out, id, strlen(id));
}

static void put_box(struct buf *out, const struct area *box)
{
    emit_key(out, "box");
    emit_box(out, box);
}

static struct buf *empty(const struct reading *r)
{
    r->scratch->len = 0;
    return r->scratch;
}

static void put_buf(struct buf *out, const char *key, const struct buf *text)
{
    emit_key(out, key);
    emit_text(out, buf_text(text), text->len);
}

/* Font, size and colour of a word, by its first character. */
static void put_style(const struct reading *r, const struct word *word, struct buf *out)
{
    const struct glyph *glyph = word->glyphs;
    int direction = seen_direction(r->content, word);

    emit_key(out, "font");
    emit_integer(out, glyph->font);
    emit_key(out, "size");
    emit_number(out, seen_size(r->content, word));
    emit_key(out, "color");
    emit_color(out, glyph->color);
    if (direction) {
        emit_key(out, "rotation");
        emit_integer(out, direction);
    }
    if (seen_is_vertical(r->content, word)) {
        emit_key(out, "vertical");
        emit_bool(out, true);
    }
}

/* The words of a line or of a block, or one word. */
struct words_range {
    const struct reading_word *words;
    size_t n;
};

/* The mean of how sure the characters are. False: that is not known of some. */
static bool confidence_of(const struct words_range *range, float *confidence)
{
    uint64_t doubt = 0, n = 0;

    for (size_t i = 0; i < range->n; i++)
        for (size_t k = 0; k < range->words[i].word->n_glyphs; k++) {
            if (range->words[i].word->glyphs[k].doubt == GLYPH_DOUBT_UNKNOWN)
                return false;
            doubt += range->words[i].word->glyphs[k].doubt;
            n++;
        }
    *confidence = n ? 1 - (float) doubt / (100 * (float) n) : 1;
    return true;
}

/* Whether a word has no letters: numbers and signs are of any language. */
static bool is_bare(const struct word *word)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (word->glyphs[i].code > '@')
            return false;
    return true;
}

/* The language that all words have; NULL: they have several, or that of one is not known. */
static const char *language_of(const struct reading *r, const struct words_range *range)
{
    const char *all = NULL;

    for (size_t i = 0; i < range->n; i++) {
        const char *own = word_language(r, range->words[i].word);

        if (own ? all && strcmp(own, all) != 0 : !is_bare(range->words[i].word))
            return NULL;
        all = own ? own : all;
    }
    return all;
}

/* What is known of the text: its language, and how sure its characters are. */
static void put_knowledge(const struct reading *r, const struct words_range *range, struct buf *out)
{
    const char *language = language_of(r, range);
    float confidence;

    if (language) {
        emit_key(out, "language");
        emit_text(out, language, strlen(language));
    }
    if (confidence_of(range, &confidence)) {
        emit_key(out, "confidence");
        emit_number(out, confidence);
    }
}

static void put_page_word(const struct reading *r, const struct reading_word *word,
                          const struct reading_line *line, const struct reading_block *block,
                          struct buf *out)
{
    struct buf *text = empty(r);

    reading_put_word(r, word->word, text);
    emit_open(out, '{');
    put_id(out, "id", r->content, 'w', word->number);
    put_buf(out, "text", text);
    put_box(out, &word->box);
    put_id(out, "line", r->content, 'l', line_number(r, line));
    put_block_id(out, "block", r, block);
    put_style(r, word->word, out);
    put_knowledge(r, &(struct words_range){ word, 1 }, out);
    emit_close(out, '}');
}

void parts_words(const struct reading *r, struct buf *out)
{
    emit_key(out, "words");
    emit_open(out, '[');
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t l = r->blocks[b].from; l < r->blocks[b].from + r->blocks[b].n; l++)
            for (size_t w = r->lines[l].from; w < r->lines[l].from + r->lines[l].n; w++)
                put_page_word(r, &r->words[w], &r->lines[l], &r->blocks[b], out);
    emit_close(out, ']');
}

static void put_line(const struct reading *r, const struct reading_line *line,
                     const struct reading_block *block, struct buf *out)
{
    struct buf *text = empty(r);

    reading_put_line(r, line, text);
    emit_open(out, '{');
    put_id(out, "id", r->content, 'l', line_number(r, line));
    put_buf(out, "text", text);
    put_box(out, &line->box);
    put_block_id(out, "block", r, block);
    put_style(r, r->words[line->from].word, out);
    put_knowledge(r, &(struct words_range){ &r->words[line->from], line->n }, out);
    if (line->rtl) {
        emit_key(out, "rightToLeft");
        emit_bool(out, true);
    }
    emit_close(out, '}');
}

void parts_lines(const struct reading *r, struct buf *out)
{
    emit_key(out, "lines");
    emit_open(out, '[');
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t l = r->blocks[b].from; l < r->blocks[b].from + r->blocks[b].n; l++)
            put_line(r, &r->lines[l], &r->blocks[b], out);
    emit_close(out, ']');
}

/* Its lines, and their words, follow each other. */
static struct words_range block_words(const struct reading *r, const struct reading_block *block)
{
    const struct reading_line *first, *last;

    if (block->n == 0)
        return (struct words_range){ 0 };
    first = &r->lines[block->from];
    last = &r->lines[block->from + block->n - 1];
    return (struct words_range){ &r->words[first->from], last->from + last->n - first->from };
}

static void put_block(const struct reading *r, const struct reading_block *block, struct buf *out)
{
    static const char *const kinds[] = { "paragraph", "heading", "listItem", "table",
                                         "figure",    "header",  "footer" };
    struct words_range words = block_words(r, block);
    struct buf *text = empty(r);

    emit_open(out, '{');
    put_block_id(out, "id", r, block);
    emit_key(out, "kind");
    emit_text(out, kinds[block->kind], strlen(kinds[block->kind]));
    put_box(out, &block->box);
    if (block->kind != READING_FIGURE && block->n) {
        reading_put_block(r, block, text);
        put_buf(out, "text", text);
        put_style(r, r->words[r->lines[block->from].from].word, out);
        put_knowledge(r, &words, out);
    }
    if (block->kind == READING_HEADING) {
        emit_key(out, "level");
        emit_integer(out, block->paragraph->heading);
    }
    if (block->kind == READING_ITEM) {
        emit_key(out, "level");
        emit_integer(out, block->paragraph->level + 1);
    }
    emit_close(out, '}');
}

void parts_blocks(const struct reading *r, struct buf *out)
{
    emit_key(out, "blocks");
    emit_open(out, '[');
    for (size_t b = 0; b < r->n_blocks; b++)
        put_block(r, &r->blocks[b], out);
    emit_close(out, ']');
}

/* Where a cell is: what its columns and rows take of the table. */
static struct area cell_area(const struct table *table, const struct cell *cell)
{
    struct area area = table->area;
    float left = 0, top = 0, width = 0, height = 0;

    for (size_t i = 0; i < table->n_columns && i < cell->column + cell->columns; i++)
        *(i < cell->column ? &left : &width) += table->widths[i];
    for (size_t i = 0; i < table->n_rows && i < cell->row + cell->rows; i++)
        *(i < cell->row ? &top : &height) += table->heights[i];
    area.x0 = table->rtl ? area.x1 - left - width : area.x0 + left;
    area.y0 += top;
    area.x1 = area.x0 + width;
    area.y1 = area.y0 + height;
    return area;
}

static void put_table_cell(const struct reading *r, const struct table *table,
                           const struct cell *cell, struct buf *out)
{
    struct area area = cell_area(table, cell), box = seen_area(r->content, &area);
    struct buf *text = empty(r);

    emit_open(out, '{');
    emit_key(out, "row");
    emit_integer(out, (long long) cell->row);
    emit_key(out, "column");
    emit_integer(out, (long long) cell->column);
    if (cell->rows > 1) {
        emit_key(out, "rowSpan");
        emit_integer(out, (long long) cell->rows);
    }
    if (cell->columns > 1) {
        emit_key(out, "columnSpan");
        emit_integer(out, (long long) cell->columns);
    }
    reading_put_cell(r, cell, text);
    put_buf(out, "text", text);
    put_box(out, &box);
    emit_close(out, '}');
}

static void put_table(const struct reading *r, const struct reading_block *block, struct buf *out)
{
    const struct table *table = &block->block->table;

    emit_open(out, '{');
    put_block_id(out, "id", r, block);
    put_box(out, &block->box);
    emit_key(out, "rows");
    emit_integer(out, (long long) table->n_rows);
    emit_key(out, "columns");
    emit_integer(out, (long long) table->n_columns);
    emit_key(out, "headRows");
    emit_integer(out, (long long) table->n_heads);
    if (table->rtl) {
        emit_key(out, "rightToLeft");
        emit_bool(out, true);
    }
    emit_key(out, "cells");
    emit_open(out, '[');
    for (size_t i = 0; i < table->n_cells; i++)
        put_table_cell(r, table, &table->cells[i], out);
    emit_close(out, ']');
    emit_close(out, '}');
}

void parts_tables(const struct reading *r, struct buf *out)
{
    emit_key(out, "tables");
    emit_open(out, '[');
    for (size_t b = 0; b < r->n_blocks; b++)
        if (r->blocks[b].kind == READING_TABLE)
            put_table(r, &r->blocks[b], out);
    emit_close(out, ']');
}

void parts_images(const struct page_content *content, struct buf *out)
{
    emit_key(out, "images");
    emit_open(out, '[');
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct page_picture *picture = &content->pictures[i];
        struct area box = seen_area(content, &picture->area);

        emit_open(out, '{');
        put_id(out, "id", content, 'i', i);
        put_box(out, &box);
        if (picture->columns > 0) {
            emit_key(out, "width");
            emit_integer(out, picture->columns);
            emit_key(out, "height");
            emit_integer(out, picture->rows);
        }
        emit_close(out, '}');
    }
    emit_close(out, ']');
}

void parts_links(const struct page_content *content, struct buf *out)
{
    emit_key(out, "links");
    emit_open(out, '[');
    for (size_t i = 0; i < content->n_links; i++) {
        const struct page_link *link = &content->links[i];
        struct area box = seen_area(content, &link->area);

        emit_open(out, '{');
        put_id(out, "id", content, 'k', i);
        put_box(out, &box);
        emit_key(out, link->uri ? "uri" : "page");
        if (link->uri)
            emit_text(out, link->uri, strlen(link->uri));
        else
            emit_integer(out, (long long) link->page + 1);
        emit_close(out, '}');
    }
    emit_close(out, ']');
}

static void put_field_options(const char *options, struct buf *out)
{
    emit_key(out, "options");
    emit_open(out, '[');
    for (; *options; options += strlen(options) + 1)
        emit_text(out, options, strlen(options));
    emit_close(out, ']');
}

static void put_field(const struct page_content *content, size_t i, struct buf *out)
{
    static const char *const kinds[] = {
        [FIELD_NONE] = "unknown",  [FIELD_TEXT] = "text",          [FIELD_CHOICE] = "choice",
        [FIELD_CHECK] = "check",   [FIELD_RADIO] = "radio",        [FIELD_LIST] = "list",
        [FIELD_BUTTON] = "button", [FIELD_SIGNATURE] = "signature"
    };
    const struct page_field *field = &content->fields[i];
    struct area box = seen_area(content, &field->area);

    emit_open(out, '{');
    put_id(out, "id", content, 'f', i);
    put_box(out, &box);
    emit_key(out, "name");
    emit_text(out, field->name ? field->name : "", field->name ? strlen(field->name) : 0);
    emit_key(out, "kind");
    emit_text(out, kinds[field->kind], strlen(kinds[field->kind]));
    if (field->value) {
        emit_key(out, "value");
        emit_text(out, field->value, strlen(field->value));
    }
    if (field->kind == FIELD_CHECK || field->kind == FIELD_RADIO) {
        emit_key(out, "checked");
        emit_bool(out, field->on);
    }
    if (field->options)
        put_field_options(field->options, out);
    if (field->read_only) {
        emit_key(out, "readOnly");
        emit_bool(out, true);
    }
    emit_close(out, '}');
}

void parts_fields(const struct page_content *content, struct buf *out)
{
    emit_key(out, "fields");
    emit_open(out, '[');
    for (size_t i = 0; i < content->n_fields; i++)
        put_field(content, i, out);
    emit_close(out, ']');
}
