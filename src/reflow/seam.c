#include "reflow/seam.h"

#include <math.h>
#include <string.h>

#include "reflow/forms.h"

#define SHORT 3    /* lines a page may have room for where a paragraph goes on */
#define LOWER 2    /* lines that one can go farther down than others */
#define FULL  0.7F /* of the page: it is not full before */

/* The only section of a page, if it is one of running text. */
static const struct section *running(const struct page *page)
{
    const struct section *section = page->n_sections == 1 ? &page->sections[0] : NULL;

    return section && !page->plain && section->n_columns == 1 && section->blocks.n ? section : NULL;
}

static struct paragraph *paragraph_of(const struct section *section, size_t i)
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

static bool is_small(uint32_t c)
{
    return c - 'a' < 26 || (c >= 0xdf && c <= 0xff) || (c >= 0x430 && c <= 0x45f);
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

static bool goes_on(const struct paragraph *p, const struct paragraph *q)
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
    return !ends_sentence(p->tail.code) || is_small(q->head.code) ||
           (p->n_lines > 1 && p->first > 0.5F * size);
}

/* How far down text goes on pages that are full. */
static float bottom_of(const struct survey *survey, const struct page *page)
{
    return page->height - fmaxf(survey->bottom * page->height / fmaxf(survey->height, 1), 0);
}

/* The text with something else in place of its last `less` bytes. */
static void end_with(struct arena *arena, struct run *run, size_t less, const char *more)
{
    size_t n = strlen(more);
    char *text = arena_take(arena, run->len + n + 1);

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

static void join_text(struct arena *arena, struct paragraph *p, const struct paragraph *q)
{
    struct run *run = &p->runs[p->n_runs - 1];
    uint32_t next = q->head.code;

    if (run->len > 1 && memcmp(run->text + run->len - 2, "\xc2\xad", 2) == 0)
        return;
    if (run->len > 1 && run->text[run->len - 1] == '-' && is_letter_byte(run->text[run->len - 2])) {
        if (is_small(next) && is_broken(run))
            end_with(arena, run, 1, "\xc2\xad");
        else if (next < 0x80 && !is_letter_byte((char) next) && next - '0' >= 10)
            end_with(arena, run, 0, " ");
        return;
    }
    if (!(is_cjk(p->tail.code) && is_cjk(next)))
        end_with(arena, run, 0, " ");
}

/* What few lines did not show of the paragraph. */
static void learn(struct page *page, struct paragraph *p, const struct paragraph *q)
{
    if (p->n_lines > 2 || q->n_lines <= p->n_lines)
        return;
    p->align = q->align;
    if (p->n_lines == 1) {
        float taller = q->line - p->line;

        p->first += p->left - q->left;
        p->left = q->left;
        p->right = q->right;
        /* Its baseline stays. */
        p->before = fmaxf(p->before - 0.8F * taller, 0);
        p->line = q->line;
        page->end += 0.2F * taller;
    }
}

static float space_before(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? block->paragraph.before
           : block->kind == BLOCK_TABLE   ? block->table.before
                                          : block->figure.before;
}

/* What of a block has to go onto a page for it to begin there. */
static float least_height(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? block->paragraph.line
           : block->kind == BLOCK_TABLE   ? block->table.heights[0]
                                          : area_height(&block->figure.picture->area);
}

static void judge(const struct survey *survey, struct arena *arena, struct page *before,
                  struct page *after, float *lowest)
{
    const struct section *above = running(before), *below = running(after);
    struct paragraph *p = above ? paragraph_of(above, above->blocks.n - 1) : NULL;
    const struct paragraph *q = below ? paragraph_of(below, 0) : NULL;
    float bottom = fmaxf(bottom_of(survey, before), *lowest), line = 1.2F * survey->body;

    /* Other headers and footers are another section's. */
    if (after->bare || after->lone ||
        (before->number && after->number && after->number != before->number + 1) ||
        (before->set != FURNITURE_NONE && before->set != after->set))
        return;
    if (!above || !below || fabsf(before->width - after->width) > 0.5F ||
        before->end > bottom_of(survey, before) + LOWER * line ||
        fabsf(before->height - after->height) > 0.5F || before->end < FULL * before->height ||
        space_before(&below->blocks.items[0]) > 0.6F * line)
        return;
    if (p && q && goes_on(p, q) && before->end + SHORT * q->line > bottom) {
        join_text(arena, p, q);
        learn(before, p, q);
        before->after = after->before = SEAM_SAME;
    } else if (before->end + least_height(&below->blocks.items[0]) > bottom + 0.6F * line &&
               (!q || (q->heading == 0 && q->head.size > 0.92F * survey->body)) &&
               (!p || p->tail.size > 0.92F * survey->body)) {
        before->after = after->before = SEAM_FLOW;
    }
    if (before->after != SEAM_BREAK)
        *lowest = fmaxf(*lowest, before->end);
}

int seam_find(const struct survey *survey, struct arena *arena, struct page *before,
              struct page *after, float *lowest, struct err *err)
{
    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "a page has too much on it");
    judge(survey, arena, before, after, lowest);
    return 0;
}
