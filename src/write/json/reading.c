#include "write/json/reading.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "layout/page/bidi.h"
#include "layout/page/unicode.h"
#include "write/json/seen.h"

#define LEVEL       0.3F /* sizes between the baselines of words of one line, at most */
#define BESIDE      1.5F /* sizes between such words */
#define SOFT_HYPHEN 0xad
#define SPACE       0.1F /* sizes between two words with a space between them, at least */

static const struct area nothing = { INFINITY, INFINITY, -INFINITY, -INFINITY };

static size_t number_of(const struct reading *r, const struct word *word)
{
    return (size_t) (word - r->page->words);
}

static bool is_of_page(const struct reading *r, const struct word *word)
{
    return word >= r->page->words && word < r->page->words + r->page->n_words;
}

static void add_read_word(struct reading *r, const struct word *word)
{
    struct reading_line *line = &r->lines[r->n_lines - 1];
    struct reading_word *added;

    if (!is_of_page(r, word) || r->taken[number_of(r, word)])
        return;
    r->taken[number_of(r, word)] = true;
    r->words = arena_grow(r->arena, r->words, r->n_words, &r->cap_words, sizeof *r->words);
    added = &r->words[r->n_words++];
    *added = (struct reading_word){ .word = word,
                                    .number = number_of(r, word),
                                    .box = seen_word(r->content, word) };
    area_join(&line->box, &added->box);
    line->n++;
}

/* Words of a line that has text from right to left, in the order in which they are read. */
static void add_mixed(struct reading *r, const struct line *line, bool rtl)
{
    enum bidi_letter last = BIDI_NONE;
    size_t n;
    struct bidi_item *items = bidi_read(r->arena, line, 0, rtl, NULL, &last, &n);

    for (size_t i = 0; i < n; i++)
        if (items[i].word && items[i].glyphs)
            add_read_word(r, items[i].word);
}

/* Adds a line; without words that are not in another one it is dropped. */
static void add_line(struct reading *r, const struct line *line)
{
    struct column column = { 0, r->content->width };
    struct reading_block *block = &r->blocks[r->n_blocks - 1];
    struct reading_line *added;

    if (line->words.n == 0)
        return;
    r->lines = arena_grow(r->arena, r->lines, r->n_lines, &r->cap_lines, sizeof *r->lines);
    added = &r->lines[r->n_lines++];
    *added = (struct reading_line){ .from = r->n_words,
                                    .box = nothing,
                                    .rtl = bidi_is_rtl(r->content, line, 1, &column) };
    if (added->rtl || bidi_has_letters(line))
        add_mixed(r, line, added->rtl);
    for (size_t i = 0; i < line->words.n; i++)
        add_read_word(r, line->words.items[i]);
    if (added->n == 0) {
        r->n_lines--;
        return;
    }
    area_join(&block->box, &added->box);
    block->n++;
}

static struct reading_block *add_block(struct reading *r, enum reading_kind kind,
                                       const struct block *block)
{
    r->blocks = arena_grow(r->arena, r->blocks, r->n_blocks, &r->cap_blocks, sizeof *r->blocks);
    r->blocks[r->n_blocks] =
        (struct reading_block){ .kind = kind, .block = block, .from = r->n_lines, .box = nothing };
    return &r->blocks[r->n_blocks++];
}

static void drop_empty(struct reading *r)
{
    if (r->blocks[r->n_blocks - 1].n == 0)
        r->n_blocks--;
}

/* Lines of a paragraph whose own are not known: of the words where it is that have its owner. */
static void add_found_lines(struct reading *r, const struct area *area, enum owner owner)
{
    struct word_list found = { 0 };
    struct line_list lines;

    for (size_t i = 0; i < r->page->n_words; i++) {
        struct word *word = &r->page->words[i];
        struct place at = words_middle(word);

        if (!r->taken[i] && word->claimed_by == owner && area_has(area, at.x, at.y))
            *ARENA_ADD(r->arena, &found) = word;
    }
    if (found.n == 0)
        return;
    lines = words_make_lines(r->arena, r->content, found.items, found.n, false);
    for (size_t i = 0; i < lines.n; i++)
        add_line(r, &lines.items[i]);
}

static void add_lines_of(struct reading *r, const struct paragraph *p, enum owner owner)
{
    for (size_t i = 0; p->lines && i < p->n_lines; i++)
        add_line(r, &p->lines[i]);
    if (!p->lines)
        add_found_lines(r, &p->area, owner);
}

static void add_paragraph(struct reading *r, const struct block *block, const struct paragraph *p,
                          enum owner owner)
{
    struct reading_block *added = add_block(r,
                                            p->heading ? READING_HEADING
                                            : p->list  ? READING_ITEM
                                                       : READING_PARAGRAPH,
                                            block);

    added->paragraph = p;
    add_lines_of(r, p, owner);
    drop_empty(r);
}

/* Tables in cells are a few levels deep, at most. */
static void add_cells(struct reading *r, const struct table *table, enum owner owner, int depth)
{
    for (size_t i = 0; i < table->n_cells; i++)
        for (size_t k = 0; k < table->cells[i].n_blocks; k++) {
            const struct block *block = &table->cells[i].blocks[k];

            if (block->kind == BLOCK_PARAGRAPH)
                add_lines_of(r, &block->paragraph, owner);
            else if (block->kind == BLOCK_TABLE && depth < 8)
                add_cells(r, &block->table, owner, depth + 1);
        }
}

static void add_figure(struct reading *r, const struct block *block)
{
    add_block(r, READING_FIGURE, block)->box = seen_area(r->content, &block->figure.picture->area);
}

static void add_model_block(struct reading *r, const struct block *block)
{
    struct reading_block *added;
    struct area area;

    if (block->kind == BLOCK_PARAGRAPH) {
        add_paragraph(r, block, &block->paragraph, block->owner);
    } else if (block->kind == BLOCK_FIGURE) {
        add_figure(r, block);
    } else {
        added = add_block(r, READING_TABLE, block);
        area = seen_area(r->content, &block->table.area);
        add_cells(r, &block->table, block->owner, 0);
        area_join(&added->box, &area);
    }
}

static void add_model(struct reading *r)
{
    const struct page *page = r->page;

    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++)
            add_model_block(r, &page->sections[i].blocks.items[k]);
    for (size_t i = 0; i < page->n_text_boxes; i++)
        add_paragraph(r, NULL, &page->text_boxes[i].paragraph, page->text_boxes[i].owner);
    for (size_t i = 0; i < page->n_floats; i++)
        add_figure(r, &page->floats[i]);
}

/* Whether two rotated words are parts of one line, as they follow each other in the file. */
static bool is_one_line(const struct word *a, const struct word *b)
{
    return fabsf(a->glyphs->angle - b->glyphs->angle) < 0.02F &&
           fabsf(a->base - b->base) < LEVEL * a->size &&
           b->area.x0 - a->area.x1 < BESIDE * a->size && b->area.x0 > a->area.x0;
}

/* Adds words that no other block has as blocks of a line each. */
static void add_apart(struct reading *r, struct word_list *words, enum reading_kind kind)
{
    struct word_list upright = { 0 };
    struct line_list lines = { 0 };

    for (size_t i = 0; i < words->n; i++) {
        struct line *line = lines.n ? &lines.items[lines.n - 1] : NULL;

        if (!words->items[i]->rotated) {
            *ARENA_ADD(r->arena, &upright) = words->items[i];
            continue;
        }
        if (!line || !is_one_line(line->words.items[line->words.n - 1], words->items[i]))
            line = ARENA_ADD(r->arena, &lines);
        *ARENA_ADD(r->arena, &line->words) = words->items[i];
    }
    for (size_t i = 0; i < lines.n; i++) {
        lines.items[i].area = lines.items[i].words.items[0]->area;
        lines.items[i].size = lines.items[i].words.items[0]->size;
        lines.items[i].base = lines.items[i].words.items[0]->base;
        add_block(r, kind, NULL);
        add_line(r, &lines.items[i]);
        drop_empty(r);
    }
    if (upright.n == 0)
        return;
    lines = words_make_lines(r->arena, r->content, upright.items, upright.n, false);
    for (size_t i = 0; i < lines.n; i++) {
        add_block(r, kind, NULL);
        add_line(r, &lines.items[i]);
        drop_empty(r);
    }
}

/* Of headers and footers, which are not in the model of their page. */
static void add_edge(struct reading *r, bool foot)
{
    struct word_list words = { 0 };

    for (size_t i = 0; i < r->page->n_words; i++) {
        struct word *word = &r->page->words[i];

        if (!r->taken[i] && word->claimed_by == OWNER_HEADER_FOOTER &&
            (words_middle(word).y > r->page->height / 2) == foot)
            *ARENA_ADD(r->arena, &words) = word;
    }
    add_apart(r, &words, foot ? READING_FOOTER : READING_HEADER);
}

/* The line around a word, which was left out of it, as leader dots are; NULL: none. */
static struct reading_line *line_around(const struct reading *r, const struct word *word)
{
    for (size_t i = 0; i < r->n_lines; i++) {
        struct reading_line *line = &r->lines[i];
        const struct word *first = r->words[line->from].word;
        const struct word *last = r->words[line->from + line->n - 1].word;

        if (!line->rtl && !word->rotated && !first->rotated &&
            fabsf(first->base - word->base) < LEVEL * first->size &&
            word->area.x0 >= first->area.x0 && word->area.x1 <= last->area.x1)
            return line;
    }
    return NULL;
}

/* Puts a word into a line, where it stands. */
static void insert_word(struct reading *r, struct reading_line *line, const struct word *word)
{
    size_t at = line->from;

    while (at < line->from + line->n && r->words[at].word->area.x0 <= word->area.x0)
        at++;
    r->words = arena_grow(r->arena, r->words, r->n_words, &r->cap_words, sizeof *r->words);
    for (size_t i = r->n_words++; i > at; i--)
        r->words[i] = r->words[i - 1];
    r->words[at] = (struct reading_word){ .word = word,
                                          .number = number_of(r, word),
                                          .box = seen_word(r->content, word) };
    r->taken[number_of(r, word)] = true;
    line->n++;
    area_join(&line->box, &r->words[at].box);
    for (struct reading_line *after = line + 1; after < r->lines + r->n_lines; after++)
        after->from++;
}

#define INSERTED 400 /* words of a page that are looked for a line for */

static void add_rest(struct reading *r)
{
    struct word_list words = { 0 };
    size_t tried = 0;

    for (size_t i = 0; i < r->page->n_words; i++) {
        struct word *word = &r->page->words[i];
        struct reading_line *line =
            r->taken[i] || tried++ >= INSERTED ? NULL : line_around(r, word);

        if (line)
            insert_word(r, line, word);
        else if (!r->taken[i])
            *ARENA_ADD(r->arena, &words) = word;
    }
    add_apart(r, &words, READING_PARAGRAPH);
}

struct reading reading_make(struct arena *arena, struct buf *scratch, const struct page *page,
                            const struct page_content *content)
{
    struct reading r = { .arena = arena, .page = page, .content = content, .scratch = scratch };

    r.taken = ARENA_ARRAY(arena, bool, page->n_words);
    add_edge(&r, false);
    add_model(&r);
    add_rest(&r);
    add_edge(&r, true);
    return r;
}

static void put_code(uint32_t code, struct buf *out)
{
    uint32_t plain[4];
    size_t n = unicode_plain(code, plain);

    for (size_t i = 0; i < n; i++)
        if (plain[i] >= ' ' && unicode_is_text(plain[i]))
            utf8_put(plain[i], out);
}

void reading_put_word(const struct reading *r, const struct word *word, struct buf *out)
{
    struct word *items[] = { r->page->words + number_of(r, word) };
    struct line line = {
        .words = { items, 1, 1 }, .area = word->area, .base = word->base, .size = word->size
    };

    if (bidi_has_letters(&line)) {
        enum bidi_letter last = BIDI_NONE;
        size_t n;
        struct bidi_item *read = bidi_read(r->arena, &line, 0, true, NULL, &last, &n);

        for (size_t i = 0; i < n; i++) {
            put_code(read[i].code, out);
            for (size_t k = 1; k < read[i].n_glyphs; k++)
                put_code(read[i].glyphs[k].code, out);
        }
    } else {
        size_t *order = ARENA_ARRAY(r->arena, size_t, word->n_glyphs);

        bidi_digits(word, order);
        for (size_t i = 0; i < word->n_glyphs; i++)
            put_code(word->glyphs[order[i]].code, out);
    }
}

bool reading_is_apart(const struct reading *r, size_t at)
{
    const struct reading_word *a = &r->words[at - 1], *b = &r->words[at];
    const struct area *p = &a->word->area, *q = &b->word->area;
    float gap = fmaxf(q->x0 - p->x1, p->x0 - q->x1);

    return (b->number == a->number + 1 && b->word->space) ||
           (a->number == b->number + 1 && a->word->space) || gap > SPACE * a->word->size;
}

void reading_put_line(const struct reading *r, const struct reading_line *line, struct buf *out)
{
    for (size_t i = line->from; i < line->from + line->n; i++) {
        if (i > line->from && reading_is_apart(r, i))
            buf_putc(out, ' ');
        reading_put_word(r, r->words[i].word, out);
    }
}

static void put_block_lines(const struct reading *r, size_t from, size_t n, struct buf *out)
{
    for (size_t i = from; i < from + n; i++) {
        if (i > from)
            buf_putc(out, '\n');
        reading_put_line(r, &r->lines[i], out);
    }
}

/* Without the soft hyphens of words that were divided. */
static void put_run(const struct run *run, struct buf *out)
{
    for (size_t at = 0; at < run->len;) {
        uint32_t c = utf8_next(run->text, run->len, &at);

        if (c != SOFT_HYPHEN)
            utf8_put(c == '\t' ? ' ' : c, out);
    }
}

/* The text of a paragraph without line ends; the label of a list item is in no run. */
static void put_paragraph_text(const struct reading *r, const struct paragraph *p, struct buf *out)
{
    if (p->n_label && p->lines && p->lines[0].words.n &&
        is_of_page(r, p->lines[0].words.items[0])) {
        reading_put_word(r, p->lines[0].words.items[0], out);
        buf_putc(out, ' ');
    }
    for (size_t i = 0; i < p->n_runs; i++)
        put_run(&p->runs[i], out);
}

void reading_put_cell(const struct reading *r, const struct cell *cell, struct buf *out)
{
    bool first = true;

    for (size_t i = 0; i < cell->n_blocks; i++) {
        if (cell->blocks[i].kind != BLOCK_PARAGRAPH)
            continue;
        if (!first)
            buf_putc(out, '\n');
        put_paragraph_text(r, &cell->blocks[i].paragraph, out);
        first = false;
    }
}

void reading_put_block(const struct reading *r, const struct reading_block *block, struct buf *out)
{
    if (block->paragraph)
        put_paragraph_text(r, block->paragraph, out);
    else
        put_block_lines(r, block->from, block->n, out);
}
