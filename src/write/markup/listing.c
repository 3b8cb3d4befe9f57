#include "write/markup/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "layout/page/unicode.h"
#include "layout/page/words.h"

#define SAME_LINE   0.5F  /* font sizes between the baselines of one line, at most */
#define BLANK_LINE  1.6F  /* of the least distance of two lines: that over a blank line, at least */
#define WORD_GAP    0.5F  /* character cells: a gap that is a blank, at least */
#define MOST_LINES  2000  /* limit of the words of a listing */
#define MOST_BLANK  200   /* limit of the blanks before a word */
#define LEAST_LINES 2     /* of a listing among text in a monospaced font */
#define LEADING     1.35F /* font sizes between two lines, if there are no two */

bool listing_is_usual(const struct document_facts *facts)
{
    return words_is_typed_family(facts->family);
}

/* Text in a monospaced font, at the left unless it stands verbatim, of which nothing would be lost
 * without its style. */
static bool is_typed(const struct markup *markup, const struct paragraph *p)
{
    if (p->n_runs == 0 || p->heading || p->rtl ||
        (listing_is_usual(markup->facts) && !p->verbatim) ||
        (!p->verbatim && (p->align == ALIGN_CENTER || p->align == ALIGN_RIGHT)))
        return false;
    for (size_t i = 0; i < p->n_runs; i++) {
        const struct run *run = &p->runs[i];

        if (run->footnote || run->style.formula || run->style.link || run->style.field ||
            run->style.script != SCRIPT_NONE)
            return false;
        if (run->text[strspn(run->text, " \t")] &&
            !words_is_typed_family(markup->fonts[run->style.font].family))
            return false;
    }
    return true;
}

struct listing {
    const struct word *words[MOST_LINES];
    size_t n;
    float left, cell; /* where its lines begin, the width of a character */
    float pitch;      /* least distance of two lines */
};

static int by_word_place(const void *a, const void *b)
{
    const struct word *p = *(const struct word *const *) a, *q = *(const struct word *const *) b;

    if (fabsf(p->base - q->base) > SAME_LINE * p->size)
        return p->base < q->base ? -1 : 1;
    return (p->area.x0 > q->area.x0) - (p->area.x0 < q->area.x0);
}

static void put_word(const struct word *word, struct buf *out)
{
    for (size_t i = 0; i < word->n_glyphs; i++) {
        uint32_t plain[4];
        size_t n = unicode_plain(word->glyphs[i].code, plain);
        char text[8];

        for (size_t k = 0; k < n; k++)
            if (plain[k] > ' ' && unicode_is_text(plain[k]))
                buf_put(out, text, utf8_encode(plain[k], text));
    }
}

/* Compares what is said, without blanks and the hyphens at the ends of lines. */
static bool says(const struct paragraph *p, const struct buf *text)
{
    AUTO_BUF struct buf runs = BUF_EMPTY, words = BUF_EMPTY;

    for (size_t i = 0; i < p->n_runs; i++)
        for (const char *c = p->runs[i].text; *c; c++) {
            if (*c == '\xc2' && c[1] == '\xad')
                c++;
            else if ((unsigned char) *c > ' ' && *c != '-')
                buf_putc(&runs, *c);
        }
    for (size_t i = 0; i < text->len; i++)
        if (text->data[i] != '-')
            buf_putc(&words, text->data[i]);
    return runs.len == words.len && memcmp(buf_text(&runs), buf_text(&words), runs.len) == 0;
}

/* Adds the words of a paragraph; false if its text is not theirs. */
static bool add_words(const struct page *page, const struct paragraph *p, struct listing *listing)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    const struct area *area = &p->area;
    size_t from = listing->n;

    for (size_t i = 0; i < page->n_words; i++) {
        const struct word *word = &page->words[i];

        if (word->base <= area->y0 || word->base >= area->y1 || word->area.x0 < area->x0 - 1 ||
            word->area.x1 > area->x1 + 1)
            continue;
        if (listing->n == MOST_LINES || word->rotated)
            return false;
        listing->words[listing->n++] = word;
    }
    qsort(listing->words + from, listing->n - from, sizeof *listing->words, by_word_place);
    for (size_t i = from; i < listing->n; i++)
        if (!words_is_apart(listing->words[i]))
            put_word(listing->words[i], &text);
    return listing->n > from && says(p, &text);
}

static void measure_listing(struct listing *listing)
{
    float width = 0;
    size_t n = 0;

    listing->left = listing->pitch = INFINITY;
    for (size_t i = 0; i < listing->n; i++) {
        const struct word *word = listing->words[i];
        float down = i ? word->base - listing->words[i - 1]->base : 0;

        listing->left = fminf(listing->left, word->area.x0);
        width += word->area.x1 - word->area.x0;
        n += word->n_glyphs;
        if (down > SAME_LINE * word->size)
            listing->pitch = fminf(listing->pitch, down);
    }
    listing->cell = n ? fmaxf(width / (float) n, 1) : 1;
    if (listing->n)
        listing->pitch = fminf(listing->pitch, LEADING * listing->words[0]->size);
}

static void put_lines(const struct listing *listing, struct buf *out)
{
    long column = 0;

    for (size_t i = 0; i < listing->n; i++) {
        const struct word *word = listing->words[i], *before = i ? listing->words[i - 1] : NULL;
        long at = lroundf((word->area.x0 - listing->left) / listing->cell);

        if (before && word->base - before->base > SAME_LINE * word->size) {
            buf_puts(out, word->base - before->base > BLANK_LINE * listing->pitch ? "\n\n" : "\n");
            column = 0;
        } else if (before && word->area.x0 - before->area.x1 > WORD_GAP * listing->cell) {
            at = at > column ? at : column + 1;
        } else if (before) {
            at = column;
        }
        for (long k = 0; column < at && k < MOST_BLANK; k++, column++)
            buf_putc(out, ' ');
        put_word(word, out);
        column += (long) word->n_glyphs;
    }
    buf_putc(out, '\n');
}

size_t listing_find(const struct markup *markup, const struct page *page,
                    const struct block *blocks, size_t n, struct buf *out)
{
    struct listing listing = { .n = 0 };
    size_t found = 0;

    if (page->plain)
        return 0;
    while (found < n && blocks[found].kind == BLOCK_PARAGRAPH &&
           !(found && blocks[found].column_break) &&
           !(found == 0 && blocks[found].paragraph.list && !blocks[found].paragraph.verbatim) &&
           is_typed(markup, &blocks[found].paragraph)) {
        size_t before = listing.n;

        if (!add_words(page, &blocks[found].paragraph, &listing)) {
            listing.n = before;
            break;
        }
        found++;
    }
    if (listing_is_usual(markup->facts) && found < LEAST_LINES)
        return 0;
    if (found) {
        measure_listing(&listing);
        put_lines(&listing, out);
    }
    return found;
}
