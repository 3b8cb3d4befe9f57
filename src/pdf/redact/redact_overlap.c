#include "pdf/redact/redact_overlap.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"

#define MOST_TIMES 8 /* how often a text is drawn in one place */

static bool counts_as_letter(uint32_t c)
{
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t) c);

    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
           category == UTF8PROC_CATEGORY_ND;
}

static size_t count_in(const struct redact_folded *text, uint32_t letter)
{
    size_t n = 0;

    for (size_t i = 0; i < text->n; i++)
        n += text->at[i] == letter;
    return n;
}

static void add_lost(struct redact_overlap *overlap, struct redact_lost lost)
{
    if (LIST_ROOM(overlap->items, overlap->n, overlap->cap))
        overlap->items[overlap->n++] = lost;
    else
        overlap->failed = true;
}

/* A glyph in the places of several hits is one of them all, unless none of them has its letter. */
static void note_letter(struct redact_overlap *overlap, struct redact_lost lost, const size_t *in,
                        size_t n)
{
    struct redact_folded text = { 0 };
    bool known = false;

    for (size_t i = 0; i < n && n > 1; i++) {
        const char *words = overlap->hits->items[in[i]].text;

        overlap->failed |= !redact_words_fold(&text, words, strlen(words));
        known |= count_in(&text, lost.letter) > 0;
    }
    redact_words_unfold(&text);
    lost.own |= known;
    for (size_t i = 0; i < n && (i == 0 || lost.own); i++) {
        lost.hit = in[i];
        add_lost(overlap, lost);
    }
}

void redact_overlap_note(struct redact_overlap *overlap, const struct redact_overlap_glyph *glyph)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct redact_folded *folded = &overlap->folded;

    for (size_t i = 0; i < glyph->n_in; i++)
        if (strcmp(overlap->hits->items[glyph->in[i]].kind, "region") == 0)
            return;
    for (size_t i = 0; i < glyph->n_text && glyph->n_in; i++)
        if (glyph->text[i] < 0x110000 && (glyph->text[i] & 0x1ff800) != 0xd800)
            utf8_put(glyph->text[i], &text);
    if (text.len == 0)
        return;
    overlap->failed |= !redact_words_fold(folded, buf_text(&text), text.len);
    for (size_t i = 0; i < folded->n; i++)
        if (counts_as_letter(folded->at[i]))
            note_letter(overlap,
                        (struct redact_lost){
                            .letter = folded->at[i], .own = glyph->found, .faint = glyph->faint },
                        glyph->in, glyph->n_in);
}

static int by_hit(const void *a, const void *b)
{
    const struct redact_lost *x = a, *y = b;

    if (x->hit != y->hit)
        return x->hit < y->hit ? -1 : 1;
    return x->letter < y->letter ? -1 : x->letter > y->letter;
}

/* What the places of a hit have more and less than its text drawn `times` times. */
struct difference {
    size_t more, less;
};

static struct difference compare_times(const struct redact_folded *text,
                                       const struct redact_lost *lost, size_t n, size_t times,
                                       bool faint)
{
    struct difference out = { 0 };
    size_t wanted = 0, same = 0;

    for (size_t i = 0; i < text->n; i++)
        wanted += counts_as_letter(text->at[i]) ? times : 0;
    for (size_t i = 0, next; i < n; i = next) {
        size_t all = 0, strange = 0, own = count_in(text, lost[i].letter) * times;

        for (next = i; next < n && lost[next].letter == lost[i].letter; next++) {
            all++;
            strange += !lost[next].own && (faint || !lost[next].faint);
        }
        same += all < own ? all : own;
        if (all > own)
            out.more += all - own < strange ? all - own : strange;
    }
    out.less = wanted - same;
    return out;
}

/* Of how many letters of other texts a hit's places were. What is not seen only counts where the
 * text itself was: else it was recognised in a picture, and that is what was recognised before. */
static size_t count_strange(const struct redact_folded *text, const struct redact_lost *lost,
                            size_t n)
{
    struct difference best = { SIZE_MAX / 2, 0 };
    size_t letters = 0, times = 1;

    for (size_t i = 0; i < text->n; i++)
        letters += counts_as_letter(text->at[i]);
    for (size_t i = 1; i <= MOST_TIMES; i++) {
        struct difference one = compare_times(text, lost, n, i, true);

        if (one.more + one.less < best.more + best.less) {
            best = one;
            times = i;
        }
    }
    return compare_times(text, lost, n, times, best.less * 4 <= letters * times).more;
}

size_t redact_overlap_count(struct redact_overlap *overlap, size_t *hit)
{
    struct redact_folded text = { 0 };
    size_t n = 0;

    if (overlap->n)
        qsort(overlap->items, overlap->n, sizeof *overlap->items, by_hit);
    for (size_t i = 0, next; i < overlap->n; i = next) {
        const char *words = overlap->hits->items[overlap->items[i].hit].text;
        size_t more;

        for (next = i; next < overlap->n && overlap->items[next].hit == overlap->items[i].hit;)
            next++;
        overlap->failed |= !redact_words_fold(&text, words, strlen(words));
        more = count_strange(&text, overlap->items + i, next - i);
        if (more && n == 0)
            *hit = overlap->items[i].hit;
        n += more;
    }
    redact_words_unfold(&text);
    overlap->n = 0;
    return n;
}

void redact_overlap_free(struct redact_overlap *overlap)
{
    free(overlap->items);
    redact_words_unfold(&overlap->folded);
}
