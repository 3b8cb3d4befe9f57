#include "write/markup/placed.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "layout/page/bidi.h"
#include "layout/page/unicode.h"
#include "layout/page/words.h"
#include "write/markup/text_table.h"

#define MOST_COLUMN 400  /* limit of a line's width */
#define MOST_BLANK  3    /* limit of blank lines for a gap of any height */
#define LEAST_CELL  1.0F /* points: least width of a character cell */
#define USUAL_CELL  6.0F /* points: width if nothing determines it: 12 characters per inch */
#define SEGMENT_GAP 0.7F /* in font sizes: a wider gap is more than a blank between words */
#define WORD_GAP    0.1F /* in font sizes: a narrower gap is within a word */

static int open_placed(void *to, const struct document_facts *facts,
                       const struct numbering *numbering, struct err *err)
{
    struct placed *placed = to;

    (void) facts;
    (void) numbering;
    placed->file = fopen(placed->path, "wbe");
    return placed->file ? 0 : err_sys(err, "result");
}

static void put_code(uint32_t code, struct buf *out)
{
    uint32_t plain[4];
    size_t n = unicode_plain(code, plain);
    char text[8];

    for (size_t i = 0; i < n; i++)
        if (plain[i] >= ' ' && unicode_is_text(plain[i]))
            buf_put(out, text, utf8_encode(plain[i], text));
}

static void put_word(struct arena *arena, const struct word *word, struct buf *out)
{
    size_t *order = ARENA_ARRAY(arena, size_t, word->n_glyphs);

    bidi_digits(word, order);
    for (size_t i = 0; i < word->n_glyphs; i++)
        put_code(word->glyphs[order[i]].code, out);
}

static void put_raised_word(struct arena *arena, const struct word *word, struct buf *out)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    put_word(arena, word, &text);
    unicode_put_raised_text(buf_text(&text), text.len, out);
}

static void put_mixed(struct arena *arena, const struct line *line, bool rtl, struct buf *out)
{
    enum bidi_letter last = BIDI_NONE;
    size_t n;
    struct bidi_item *items = bidi_read(arena, line, 0, rtl, NULL, &last, &n);

    for (size_t i = 0; i < n; i++) {
        put_code(items[i].code, out);
        for (size_t k = 1; k < items[i].n_glyphs; k++)
            put_code(items[i].glyphs[k].code, out);
    }
}

/* Words of a line without a wide gap between them, in reading order. */
struct segment {
    size_t line; /* its index on the page */
    float x0, x1;
    struct buf text;
    size_t width; /* of the text, in character cells */
};

struct segment_list {
    struct segment *items;
    size_t n, cap;
};

/* `whole`: the line that the segment is a part of. */
static void put_segment(struct arena *arena, const struct page_content *content,
                        const struct line *line, const struct line *whole, struct buf *out)
{
    struct column column = { 0, content->width };
    bool rtl = bidi_is_rtl(content, line, 1, &column);

    if (rtl || bidi_has_letters(line)) {
        put_mixed(arena, line, rtl, out);
        return;
    }
    for (size_t i = 0; i < line->words.n; i++) {
        const struct word *word = line->words.items[i];

        if (i > 0 && (word->space ||
                      word->area.x0 - line->words.items[i - 1]->area.x1 > WORD_GAP * line->size))
            buf_putc(out, ' ');
        if (words_script(word, whole) == SCRIPT_SUPER)
            put_raised_word(arena, word, out);
        else
            put_word(arena, word, out);
    }
}

static void add_segments(struct arena *arena, const struct page_content *content,
                         const struct line *line, size_t number, struct segment_list *list)
{
    for (size_t from = 0, to; from < line->words.n; from = to) {
        float end = line->words.items[from]->area.x1;
        struct segment *segment;
        struct line part;

        for (to = from + 1;
             to < line->words.n && line->words.items[to]->area.x0 - end <= SEGMENT_GAP * line->size;
             to++)
            end = line->words.items[to]->area.x1;
        part = words_line_part(line, from, to - from);
        segment = ARENA_ADD(arena, list);
        *segment = (struct segment){ .line = number, .x0 = part.area.x0, .x1 = part.area.x1 };
        put_segment(arena, content, &part, line, &segment->text);
        segment->width = text_table_width(buf_text(&segment->text), segment->text.len);
    }
}

static int by_segment_place(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->x0 > y->x0) - (x->x0 < y->x0);
}

/*
 * The width of a character cell: that of most characters, or less, so that 9 of 10 segments end
 * before the next one in their line.
 */
static float cell_width(struct arena *arena, const struct segment_list *list)
{
    float *own = ARENA_ARRAY(arena, float, list->n), *free = ARENA_ARRAY(arena, float, list->n);
    size_t n_own = 0, n_free = 0;
    float cell;

    for (size_t i = 0; i < list->n; i++) {
        const struct segment *segment = &list->items[i], *next = segment + 1;

        if (segment->width > 1)
            own[n_own++] = (segment->x1 - segment->x0) / (float) segment->width;
        if (i + 1 < list->n && next->line == segment->line)
            free[n_free++] = (next->x0 - segment->x0) / (float) (segment->width + 1);
    }
    if (n_own == 0)
        return USUAL_CELL;
    qsort(own, n_own, sizeof *own, num_compare_floats);
    qsort(free, n_free, sizeof *free, num_compare_floats);
    cell = fmaxf(own[n_own / 2], LEAST_CELL);
    return n_free ? fmaxf(fminf(cell, free[n_free / 10]), cell / 2) : cell;
}

static void put_segments(const struct segment *segments, size_t n, float left, float cell,
                         struct buf *out)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        float place = fminf(roundf((segments[i].x0 - left) / cell), MOST_COLUMN);
        size_t column = place > 0 ? (size_t) place : 0;

        if (i > 0 && column <= at)
            column = at + 1;
        for (; at < column; at++)
            buf_putc(out, ' ');
        buf_put(out, segments[i].text.data, segments[i].text.len);
        at += segments[i].width;
    }
    buf_putc(out, '\n');
}

static struct line_list find_lines(struct arena *arena, const struct page *page,
                                   const struct page_content *content)
{
    struct word **words = ARENA_ARRAY(arena, struct word *, page->n_words);
    size_t n = 0;

    for (size_t i = 0; i < page->n_words; i++)
        if (page->words[i].n_glyphs)
            words[n++] = &page->words[i];
    return words_make_lines(arena, content, words, n, false);
}

/* The segments' texts are not in the arena: the caller frees them. */
static void put_lines(struct arena *arena, const struct page *page,
                      const struct page_content *content, struct segment_list *list,
                      struct buf *out)
{
    struct line_list lines = find_lines(arena, page, content);
    float cell, left = content->width;

    for (size_t i = 0; i < lines.n; i++)
        add_segments(arena, content, &lines.items[i], i, list);
    if (list->n)
        qsort(list->items, list->n, sizeof *list->items, by_segment_place);
    for (size_t i = 0; i < list->n; i++)
        left = fminf(left, list->items[i].x0);
    cell = cell_width(arena, list);
    for (size_t i = 0, at = 0, n; i < lines.n; i++, at += n) {
        const struct line *line = &lines.items[i];
        float gap = i ? line->area.y0 - lines.items[i - 1].area.y1 : 0;
        float blank = line->size > 0 ? floorf(gap / line->size) : 0;

        for (n = 0; at + n < list->n && list->items[at + n].line == i;)
            n++;
        for (int k = 0; k < MOST_BLANK && (float) k < blank; k++)
            buf_putc(out, '\n');
        put_segments(list->items + at, n, left, cell, out);
    }
}

static void free_segments(struct segment_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        buf_free(&list->items[i].text);
}

/* False: out of memory. */
static bool lay_out_page(const struct page *page, const struct page_content *content,
                         struct buf *out)
{
    struct arena arena = { 0 };
    struct segment_list list = { 0 };

    if (setjmp(arena.full) != 0) {
        free_segments(&list);
        arena_free(&arena);
        return false;
    }
    put_lines(&arena, page, content, &list, out);
    free_segments(&list);
    arena_free(&arena);
    return !out->failed;
}

static int write_placed_page(void *to, const struct page *page, const struct page_content *content,
                             struct err *err)
{
    struct placed *placed = to;
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (placed->any)
        buf_putc(&out, placed->form_feeds ? '\f' : '\n');
    placed->any = true;
    if (!lay_out_page(page, content, &out))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu is too large", content->number + 1);
    if (out.len && fwrite(out.data, 1, out.len, placed->file) != out.len)
        return err_sys(err, "result");
    return 0;
}

static int end_document(void *to, const struct header_sets *headers, const struct page_font *fonts,
                        struct err *err)
{
    struct placed *placed = to;
    FILE *file = placed->file;

    (void) headers;
    (void) fonts;
    if (ftello(file) == 0)
        fputc('\n', file);
    placed->file = NULL;
    return fclose(file) == 0 ? 0 : err_sys(err, "result");
}

struct writer placed_writer(struct placed *placed)
{
    return (struct writer){ open_placed, write_placed_page, end_document, placed };
}

void placed_free(struct placed *placed)
{
    if (placed->file)
        fclose(placed->file);
}
