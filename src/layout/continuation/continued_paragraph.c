#include "layout/continuation/continued_paragraph.h"

#include <math.h>
#include <string.h>

#include "layout/page/sentence.h"

struct paragraph *continued_paragraph_text(const struct section *section, size_t i)
{
    struct block *block = &section->blocks.items[i];

    return block->kind == BLOCK_PARAGRAPH && block->paragraph.boxed.border.width <= 0 &&
                   block->paragraph.shade == STYLE_PLAIN && block->paragraph.n_runs
               ? &block->paragraph
               : NULL;
}

static bool is_flush(const struct paragraph *p)
{
    return p->align == ALIGN_LEFT || p->align == ALIGN_BOTH;
}

static bool ends_sentence(uint32_t c)
{
    return c == '.' || c == '!' || c == '?' || c == ':' || c == '"' || c == ')' || c == 0x201d ||
           c == 0x2019 || c == 0x3002;
}

/* Whether the second begins as the first one's next line would. */
static bool is_next_line(const struct paragraph *p, const struct paragraph *q)
{
    float size = p->tail.size, left = p->tail.x0;

    /* A first line may be indented, or hang. */
    if (p->n_lines == 1 && fabsf(q->head.x0 - left) >= 0.4F * size)
        return q->n_lines > 1 && fabsf(q->head.x0 - q->tail.x0) < 0.4F * size &&
               left > q->head.x0 && left - q->head.x0 < 4 * size;
    return fabsf(q->head.x0 - left) < 0.4F * size;
}

bool continued_paragraph_is(const struct paragraph *p, const struct paragraph *q)
{
    float size = p->tail.size;

    if (p->heading || q->heading || q->list || p->rtl || q->rtl || q->n_tabs || !is_flush(p) ||
        !is_flush(q) || fabsf(size - q->head.size) > 0.08F * size || p->tail.bold != q->head.bold ||
        !is_next_line(p, q))
        return false;
    if (p->tail.tag && q->head.tag)
        return p->tail.tag == q->head.tag;
    /* The last line was full. */
    if (q->head.width + 0.25F * size < p->room - 0.35F * size)
        return false;
    /* A sentence can end with a line: then the paragraph does, unless all begin with an indent. */
    return !ends_sentence(p->tail.code) || sentence_is_small(q->head.code) ||
           (p->n_lines > 1 && p->first > 0.5F * size);
}

bool continued_paragraph_ends(const struct paragraph *p)
{
    return p->heading || p->room > 2 * p->tail.size || ends_sentence(p->tail.code);
}

bool continued_paragraph_within(const struct paragraph *p, const struct paragraph *q)
{
    return p->n_tabs == 0 && sentence_is_small(q->head.code) && !ends_sentence(p->tail.code);
}

/* The text with something else in place of its last `less` bytes. */
static void end_with(struct arena *arena, struct run *run, size_t less, const char *more)
{
    size_t n = strlen(more);
    char *text = arena_alloc(arena, run->len + n + 1);

    memcpy(text, run->text, run->len - less);
    memcpy(text + run->len - less, more, n);
    run->text = text;
    run->len += n - less;
}

static bool is_letter_byte(char c)
{
    return (unsigned) (c | 0x20) - 'a' < 26 || (unsigned char) c > 0x7f;
}

/* Whether a word that ends with a hyphen was broken there: after letters alone, two at least. */
static bool is_broken(const struct run *run)
{
    size_t i = run->len - 1, letters = 0;

    while (i > 0 && is_letter_byte(run->text[i - 1])) {
        letters++;
        i--;
    }
    return letters > 1 &&
           (i == 0 || (run->text[i - 1] != '-' && (unsigned) run->text[i - 1] - '0' >= 10));
}

void continued_paragraph_join(struct arena *arena, struct paragraph *p, const struct paragraph *q)
{
    struct run *run = &p->runs[p->n_runs - 1];
    uint32_t next = q->head.code;

    if (run->len > 1 && memcmp(run->text + run->len - 2, "\xc2\xad", 2) == 0)
        return;
    if (run->len > 1 && run->text[run->len - 1] == '-' && is_letter_byte(run->text[run->len - 2])) {
        if (sentence_is_small(next) && is_broken(run))
            end_with(arena, run, 1, "\xc2\xad");
        else if (next < 0x80 && !is_letter_byte((char) next) && next - '0' >= 10)
            end_with(arena, run, 0, " ");
        return;
    }
    if (is_spaced(p->tail.code, next, p->tail.space))
        end_with(arena, run, 0, " ");
}

/* One line says less of a paragraph than several. */
static void adopt_shape(struct paragraph *p, const struct paragraph *q)
{
    if (p->n_lines > 2 || q->n_lines <= p->n_lines)
        return;
    p->align = q->align;
    if (p->n_lines == 1) {
        p->first += p->left - q->left;
        p->left = q->left;
        p->right = q->right;
    }
}

void continued_paragraph_append(struct arena *arena, struct paragraph *p, const struct paragraph *q)
{
    struct run *runs = ARENA_ARRAY(arena, struct run, p->n_runs + q->n_runs);

    continued_paragraph_join(arena, p, q);
    memcpy(runs, p->runs, p->n_runs * sizeof *runs);
    memcpy(runs + p->n_runs, q->runs, q->n_runs * sizeof *runs);
    adopt_shape(p, q);
    p->runs = runs;
    p->n_runs += q->n_runs;
    p->n_lines += q->n_lines;
    p->lines = NULL;
    p->tall = p->tall || q->tall;
    p->under += q->over + q->under;
    p->tail = q->tail;
    p->room = q->room;
}

float continued_paragraph_space(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? block->paragraph.before
           : block->kind == BLOCK_TABLE   ? block->table.before
                                          : block->figure.before;
}

/* What of a block has to go onto a page for it to begin there. */
float continued_paragraph_least(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH
               ? block->paragraph.line +
                     (block->paragraph.boxed.first ? block->paragraph.boxed.above : 0)
           : block->kind == BLOCK_TABLE ? block->table.heights[0]
                                        : area_height(&block->figure.picture->area);
}

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* A caption below a picture. */
static bool is_caption_block(const struct block *block)
{
    const char *text;

    if (block->kind != BLOCK_PARAGRAPH || block->paragraph.n_runs == 0)
        return false;
    text = block->paragraph.runs[0].text;
    return begins_with(text, "Fig") || begins_with(text, "FIG") || begins_with(text, "Abb") ||
           begins_with(text, "Table") || begins_with(text, "Tab.") || begins_with(text, "Photo");
}

size_t continued_paragraph_past(const struct section *section, size_t i, size_t end)
{
    while (i < end && section->blocks.items[i].kind == BLOCK_FIGURE) {
        i++;
        if (i < end && is_caption_block(&section->blocks.items[i]))
            i++;
    }
    return i;
}
