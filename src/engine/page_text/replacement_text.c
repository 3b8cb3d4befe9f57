#include "engine/page_text/replacement_text.h"

#include <math.h>
#include <stdlib.h>

#include "engine/page_text/glyph_likeness.h"
#include "engine/page_text/symbol_fonts.h"
#include "layout/page/words.h"

#define MOST   4000 /* characters of a replaced text, and of the one in its place */
#define ESCAPE 0x1b /* begins and ends a language in a text (ISO 32000-2, 7.9.2.2) */

/* A character of the page that is replaced or stays. */
struct shown {
    fz_stext_char *c;
    fz_stext_line *line;
};

struct texts {
    fz_context *ctx;
    fz_stext_page *page;
    struct shown shown[MOST];
    int codes[MOST];
    size_t n_shown, n_codes;
    bool blank; /* the text has a blank */
};

static bool is_blank_code(int code)
{
    return code == 0 || code == ' ' || code == 0xa0 || (code >= '\t' && code <= '\r');
}

static bool is_unreadable(int code)
{
    return code == FZ_REPLACEMENT_CHARACTER || symbol_fonts_is_private(code) ||
           (code >= GLYPH_LIKENESS_FIRST && code < GLYPH_LIKENESS_FIRST + GLYPH_LIKENESS_MOST);
}

struct replacement_start replacement_text_start(const fz_stext_page *text)
{
    const fz_stext_block *block = text->last_block;
    fz_stext_line *line = block && block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.last_line : NULL;

    return (struct replacement_start){ block, line, line ? line->last_char : NULL };
}

static bool is_narrow(const fz_stext_char *c)
{
    return fabsf(c->quad.lr.x - c->quad.ll.x) + fabsf(c->quad.lr.y - c->quad.ll.y) < 1e-3F;
}

/* A glyph whose font says that it is a blank and a character has its place at the blank, and the
 * character has none. If the text says that there is no blank, the character gets that place. */
static bool drop_blank(const struct texts *texts, fz_stext_line *line, fz_stext_char *c)
{
    fz_stext_char *next = c->next;

    if (texts->blank || !next || is_blank_code(next->c) || is_narrow(c) || !is_narrow(next))
        return false;
    c->c = next->c;
    c->next = next->next;
    if (line->last_char == next)
        line->last_char = c;
    fz_drop_font(texts->ctx, next->font);
    return true;
}

/* Collects the visible characters after the start. False: they are too many. */
static bool collect_shown(struct texts *texts, const struct replacement_start *start)
{
    const fz_stext_block *block = start->block ? start->block : texts->page->first_block;
    fz_stext_line *line = start->line;
    fz_stext_char *c = start->last ? start->last->next : NULL;

    if (!line && block && block->type == FZ_STEXT_BLOCK_TEXT)
        line = block->u.t.first_line;
    if (!c && !start->last && line)
        c = line->first_char;
    while (block) {
        for (; c; c = c->next) {
            if (is_blank_code(c->c) && !drop_blank(texts, line, c))
                continue;
            if (texts->n_shown == MOST)
                return false;
            texts->shown[texts->n_shown++] = (struct shown){ c, line };
        }
        line = line ? line->next : NULL;
        while (!line && (block = block->next))
            line = block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.first_line : NULL;
        c = line ? line->first_char : NULL;
    }
    return true;
}

/* Reads the text without the languages in it, and without blanks at its ends. */
static bool read_codes(struct texts *texts, const char *utf8)
{
    bool language = false;

    while (*utf8) {
        int code;

        utf8 += fz_chartorune(&code, utf8);
        if (code == ESCAPE)
            language = !language;
        texts->blank |= !language && is_blank_code(code);
        if (code != ESCAPE && !language && (texts->n_codes || !is_blank_code(code))) {
            if (texts->n_codes == MOST)
                return false;
            texts->codes[texts->n_codes++] = is_blank_code(code) ? ' ' : code;
        }
    }
    while (texts->n_codes && texts->codes[texts->n_codes - 1] == ' ')
        texts->n_codes--;
    return true;
}

static fz_point between(fz_point a, fz_point b, float part)
{
    return (fz_point){ a.x + part * (b.x - a.x), a.y + part * (b.y - a.y) };
}

/* Writes one character of n in the place of all. */
static void place(fz_stext_char *c, int code, const fz_stext_char *model, fz_quad all, size_t i,
                  size_t n)
{
    float from = (float) i / (float) n, to = (float) (i + 1) / (float) n;

    c->c = code;
    c->quad = (fz_quad){ .ul = between(all.ul, all.ur, from),
                         .ur = between(all.ul, all.ur, to),
                         .ll = between(all.ll, all.lr, from),
                         .lr = between(all.ll, all.lr, to) };
    c->origin.x = model->origin.x + c->quad.ll.x - model->quad.ll.x;
    c->origin.y = model->origin.y + c->quad.ll.y - model->quad.ll.y;
}

static fz_stext_char *add_after(struct texts *texts, fz_stext_line *line, fz_stext_char *c)
{
    fz_stext_char *added = fz_pool_alloc(texts->ctx, texts->page->pool, sizeof *added);

    *added = *c;
    added->font = fz_keep_font(texts->ctx, c->font);
    c->next = added;
    if (line->last_char == c)
        line->last_char = added;
    return added;
}

/* Puts the codes in place of some characters of one line. */
static void spread(struct texts *texts, const struct shown *shown, size_t n_shown, const int *codes,
                   size_t n)
{
    fz_stext_line *line = shown->line;
    fz_stext_char model = *shown[0].c, *c = shown[0].c;
    fz_quad all = model.quad;
    bool backward = false;

    for (size_t i = 1; i < n_shown; i++) {
        fz_quad quad = shown[i].c->quad;

        if (line->dir.x * (quad.ll.x - all.ll.x) + line->dir.y * (quad.ll.y - all.ll.y) < 0) {
            all.ll = quad.ll;
            all.ul = quad.ul;
        }
        if (line->dir.x * (quad.lr.x - all.lr.x) + line->dir.y * (quad.lr.y - all.lr.y) > 0) {
            all.lr = quad.lr;
            all.ur = quad.ur;
        }
    }
    for (size_t i = 0; i < n; i++)
        backward |= is_rtl((uint32_t) codes[i]);
    for (size_t i = 0; i < n; i++) {
        if (i)
            c = i < n_shown ? shown[i].c : add_after(texts, line, c);
        place(c, codes[i], &model, all, backward ? n - 1 - i : i, n);
    }
    for (size_t i = n; i < n_shown; i++)
        shown[i].c->c = 0;
}

/* Puts the codes in place of all, line by line in proportion to what the lines show. */
static void replace(struct texts *texts, const struct shown *shown, size_t n_shown,
                    const int *codes, size_t n)
{
    size_t done = 0;

    for (size_t i = 0, k; i < n_shown; i = k) {
        size_t to;

        for (k = i + 1; k < n_shown && shown[k].line == shown[i].line;)
            k++;
        to = n * k / n_shown;
        /* A line ends at a blank, if there is one. */
        for (size_t at = to; k < n_shown && at > done; at--)
            if (codes[at - 1] == ' ') {
                to = at;
                break;
            }
        spread(texts, &shown[i], k - i, &codes[done], to - done);
        done = to;
    }
}

/* Leaves what both begin and end with as it is, but for blanks, and replaces the rest. */
static void put(struct texts *texts)
{
    const struct shown *shown = texts->shown;
    const int *codes = texts->codes;
    size_t from = 0, to = texts->n_shown, first = 0, end = texts->n_codes;

    for (size_t at; from < to; from++, first = at + 1) {
        for (at = first; at < end && codes[at] == ' ';)
            at++;
        if (at == end || shown[from].c->c != codes[at])
            break;
    }
    for (size_t at; from < to; to--, end = at - 1) {
        for (at = end; at > first && codes[at - 1] == ' ';)
            at--;
        if (at == first || shown[to - 1].c->c != codes[at - 1])
            break;
    }
    /* What is added shares the place of the character next to it, which gets that of what is
     * dropped. */
    if ((from == to) != (first == end)) {
        if (from > 0 && first > 0) {
            from--;
            first--;
        } else if (to < texts->n_shown && end < texts->n_codes) {
            to++;
            end++;
        }
    }
    if (from < to)
        replace(texts, &shown[from], to - from, &codes[first], end - first);
}

static void put_or_drop(struct texts *texts, bool unreadable_only)
{
    bool unreadable = false, hyphen;

    for (size_t i = 0; i < texts->n_shown; i++)
        unreadable |= is_unreadable(texts->shown[i].c->c);
    /* A hyphen where a word is divided: what reads the lines knows it. */
    hyphen = texts->n_shown == 1 && texts->n_codes == 1 && texts->codes[0] == 0xad && !unreadable;
    if (texts->n_codes && texts->n_shown && !hyphen && (unreadable || !unreadable_only))
        put(texts);
    for (size_t i = 0; i < texts->n_shown && texts->n_codes == 0 && !unreadable_only; i++)
        if (is_unreadable(texts->shown[i].c->c))
            texts->shown[i].c->c = 0;
}

void replacement_text_put(fz_context *ctx, fz_stext_page *text,
                          const struct replacement_start *start, const char *utf8,
                          bool unreadable_only)
{
    struct texts *texts = calloc(1, sizeof *texts);

    if (!texts)
        return;
    texts->ctx = ctx;
    texts->page = text;
    fz_try(ctx)
    {
        if (read_codes(texts, utf8) && collect_shown(texts, start))
            put_or_drop(texts, unreadable_only);
    }
    fz_always(ctx) free(texts);
    fz_catch(ctx) fz_rethrow(ctx);
}
