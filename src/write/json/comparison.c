#include "write/json/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "layout/page/words.h"
#include "write/json/emit.h"

#define FORMAT   "platen-compare-1"
#define WORD_GAP 1.5F /* heights of a line between two words of one box, at most */
#define NOWHERE  DIFFERENCE_NOWHERE

static const char *const kinds[] = { "added", "removed", "changed", "moved" };

void comparison_count(const struct differences *found, struct comparison_counts *counts)
{
    *counts = (struct comparison_counts){ .areas = found->n_areas };
    for (size_t i = 0; i < found->n; i++) {
        const struct difference *d = &found->items[i];

        counts->added += d->kind == DIFFERENCE_ADDED;
        counts->removed += d->kind == DIFFERENCE_REMOVED;
        counts->changed += d->kind == DIFFERENCE_CHANGED;
        counts->moved += d->kind == DIFFERENCE_MOVED;
        if (d->kind != DIFFERENCE_MOVED) {
            counts->words_added += d->new.n;
            counts->words_removed += d->old.n;
        }
    }
    for (size_t i = 0; i < found->n_pairs; i++) {
        counts->pages_added += found->pairs[i].old == NOWHERE;
        counts->pages_removed += found->pairs[i].new == NOWHERE;
        counts->pages_moved += found->pairs[i].moved;
    }
}

bool comparison_is_equal(const struct comparison_counts *counts)
{
    return counts->added + counts->removed + counts->changed + counts->moved + counts->pages_added +
               counts->pages_removed + counts->pages_moved + counts->areas ==
           0;
}

/* The next word of the span from `at` on: its index, or span->to. */
static uint32_t next_word(const struct text_words *list, const struct word_span *span, bool edge,
                          uint32_t at)
{
    while (at < span->to && ((list->words[at].flags & WORD_EDGE) != 0) != edge)
        at++;
    return at;
}

static bool continues_box(const struct area *line, const struct area *word)
{
    float height = fminf(area_height(line), area_height(word));
    float shared = fminf(line->y1, word->y1) - fmaxf(line->y0, word->y0);
    float gap = fmaxf(word->x0 - line->x1, line->x0 - word->x1);

    return shared > height / 2 && gap < WORD_GAP * area_height(line);
}

/* Where something would be: a line without width after the word. */
static size_t place_after(const struct text_words *list, const struct word_span *span,
                          struct comparison_box *boxes, size_t cap)
{
    struct area box;

    if (list->n_pages == 0)
        return 0;
    if (span->from == NOWHERE) {
        box = list->n_words ? list->words[0].box : (struct area){ 0 };
        box.x1 = box.x0;
    } else {
        box = list->words[span->from].box;
        box.x0 = box.x1;
    }
    if (cap > 0)
        boxes[0] = (struct comparison_box){ span->page, box };
    return 1;
}

size_t comparison_boxes(const struct text_words *list, const struct word_span *span, bool edge,
                        struct comparison_box *boxes, size_t cap)
{
    struct comparison_box last = { .page = NOWHERE };
    size_t n = 0;

    if (span->n == 0)
        return place_after(list, span, boxes, cap);
    for (uint32_t i = next_word(list, span, edge, span->from); i < span->to;
         i = next_word(list, span, edge, i + 1)) {
        const struct listed_word *word = &list->words[i];

        if (last.page == word->page && continues_box(&last.box, &word->box)) {
            area_join(&last.box, &word->box);
        } else {
            last = (struct comparison_box){ word->page, word->box };
            n++;
        }
        if (n <= cap)
            boxes[n - 1] = last;
    }
    return n;
}

static uint32_t character_at(const char *text)
{
    size_t at = 0;

    return *text ? utf8_next(text, strlen(text), &at) : 0;
}

void comparison_text(const struct text_words *list, const struct word_span *span, bool edge,
                     struct buf *out)
{
    uint32_t last = 0;
    bool first = true;

    if (span->n == 0)
        return;
    for (uint32_t i = next_word(list, span, edge, span->from); i < span->to;
         i = next_word(list, span, edge, i + 1)) {
        const char *text = text_words_text(list, i);

        if (list->words[i].flags & WORD_PIECE)
            continue;
        if (!first && (list->words[i].flags & WORD_BREAK))
            buf_putc(out, '\n');
        else if (!first && is_spaced(last, character_at(text), false))
            buf_putc(out, ' ');
        buf_puts(out, text);
        last = character_at(text);
        first = false;
    }
}

static void put_count(struct buf *out, const char *key, size_t n)
{
    emit_key(out, key);
    emit_integer(out, (long long) n);
}

static void put_summary(const struct differences *found, struct buf *out)
{
    struct comparison_counts counts;

    comparison_count(found, &counts);
    emit_key(out, "summary");
    emit_open(out, '{');
    emit_key(out, "equal");
    emit_bool(out, comparison_is_equal(&counts));
    put_count(out, "added", counts.added);
    put_count(out, "removed", counts.removed);
    put_count(out, "changed", counts.changed);
    put_count(out, "moved", counts.moved);
    put_count(out, "appearance", counts.areas);
    put_count(out, "wordsAdded", counts.words_added);
    put_count(out, "wordsRemoved", counts.words_removed);
    put_count(out, "pagesAdded", counts.pages_added);
    put_count(out, "pagesRemoved", counts.pages_removed);
    put_count(out, "pagesMoved", counts.pages_moved);
    emit_key(out, "complete");
    emit_bool(out, !found->coarse);
    emit_close(out, '}');
}

static void put_page_number(struct buf *out, const char *key, const struct text_words *list,
                            uint32_t page)
{
    emit_key(out, key);
    if (page == NOWHERE)
        buf_puts(out, "null");
    else
        emit_integer(out, (long long) list->pages[page].number + 1);
}

static void put_pairs(const struct text_words *old, const struct text_words *new,
                      const struct differences *found, struct buf *out)
{
    emit_key(out, "pages");
    emit_open(out, '[');
    for (size_t i = 0; i < found->n_pairs; i++) {
        const struct page_pair *pair = &found->pairs[i];

        emit_open(out, '{');
        put_page_number(out, "old", old, pair->old);
        put_page_number(out, "new", new, pair->new);
        if (pair->moved) {
            emit_key(out, "moved");
            emit_bool(out, true);
        }
        emit_close(out, '}');
    }
    emit_close(out, ']');
}

static void open_place(struct buf *out, const struct text_words *list, uint32_t page)
{
    emit_open(out, '{');
    put_page_number(out, "page", list, page);
    emit_key(out, "boxes");
    emit_open(out, '[');
}

static void close_place(struct buf *out)
{
    emit_close(out, ']');
    emit_close(out, '}');
}

static void put_places(const struct text_words *list, const struct word_span *span, bool edge,
                       struct buf *out)
{
    size_t n = comparison_boxes(list, span, edge, NULL, 0);
    struct comparison_box *boxes = calloc(n + 1, sizeof *boxes);
    uint32_t page = NOWHERE;

    if (!boxes) {
        out->failed = true;
        return;
    }
    comparison_boxes(list, span, edge, boxes, n);
    emit_key(out, "places");
    emit_open(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (boxes[i].page != page) {
            if (page != NOWHERE)
                close_place(out);
            page = boxes[i].page;
            open_place(out, list, page);
        }
        emit_box(out, &boxes[i].box);
    }
    if (page != NOWHERE)
        close_place(out);
    emit_close(out, ']');
    free(boxes);
}

static void put_side(const char *key, const struct text_words *list, const struct word_span *span,
                     bool edge, struct buf *out)
{
    struct buf text = BUF_EMPTY;

    comparison_text(list, span, edge, &text);
    emit_key(out, key);
    emit_open(out, '{');
    emit_key(out, "text");
    emit_text(out, buf_text(&text), text.len);
    put_places(list, span, edge, out);
    emit_close(out, '}');
    out->failed |= text.failed;
    buf_free(&text);
}

static void put_kind(struct buf *out, const char *kind)
{
    emit_open(out, '{');
    emit_key(out, "kind");
    emit_text(out, kind, strlen(kind));
}

static void put_area(const struct text_words *old, const struct text_words *new,
                     const struct differences *found, const struct changed_area *area,
                     struct buf *out)
{
    const struct page_pair *pair = &found->pairs[area->pair];
    const struct text_words *const lists[] = { old, new };
    const uint32_t pages[] = { pair->old, pair->new };
    static const char *const keys[] = { "old", "new" };

    put_kind(out, "appearance");
    for (size_t i = 0; i < 2; i++) {
        emit_key(out, keys[i]);
        emit_open(out, '{');
        emit_key(out, "places");
        emit_open(out, '[');
        open_place(out, lists[i], pages[i]);
        emit_box(out, &area->box);
        close_place(out);
        emit_close(out, ']');
        emit_close(out, '}');
    }
    emit_close(out, '}');
}

void comparison_put(const struct text_words *old, const struct text_words *new,
                    const struct differences *found, struct buf *out)
{
    emit_open(out, '{');
    emit_key(out, "format");
    emit_text(out, FORMAT, strlen(FORMAT));
    put_summary(found, out);
    put_pairs(old, new, found, out);
    emit_key(out, "differences");
    emit_open(out, '[');
    for (size_t i = 0; i < found->n; i++) {
        const struct difference *d = &found->items[i];

        buf_puts(out, i ? ",\n" : "\n");
        put_kind(out, kinds[d->kind]);
        if (d->edge) {
            emit_key(out, "edge");
            emit_bool(out, true);
        }
        put_side("old", old, &d->old, d->edge, out);
        put_side("new", new, &d->new, d->edge, out);
        emit_close(out, '}');
    }
    for (size_t i = 0; i < found->n_areas; i++)
        put_area(old, new, found, &found->areas[i], out);
    emit_close(out, ']');
    emit_close(out, '}');
    buf_putc(out, '\n');
}
