#include "layout/page/accents.h"

#include <math.h>

#include "base/scope.h"
#include "layout/page/unicode.h"

/* Marks as characters of their own, and those that are combined with the letter before them. */
static const uint16_t marks[][2] = {
    { '`', 0x300 },   { 0xb4, 0x301 },  { '^', 0x302 },  { 0x2c6, 0x302 },
    { '~', 0x303 },   { 0x2dc, 0x303 }, { 0xaf, 0x304 }, { 0x2c9, 0x304 },
    { 0x2d8, 0x306 }, { 0x2d9, 0x307 }, { 0xa8, 0x308 }, { 0x2da, 0x30a },
    { 0x2dd, 0x30b }, { 0x2c7, 0x30c }, { 0xb8, 0x327 }, { 0x2db, 0x328 },
};

#define STROKE 0x338 /* through a sign: not */

/* The combining mark that a glyph is; or 0. */
static uint32_t mark_of(const struct glyph *glyph)
{
    for (size_t i = 0; i < COUNT(marks); i++)
        if (marks[i][0] == glyph->code)
            return marks[i][1];
    return 0;
}

static bool accepts_accent(uint32_t c)
{
    return (c | 0x20) - 'a' < 26 ||
           (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7 && (c < 0x2b0 || c > 0x36f)) ||
           (c >= 0x1d400 && c < 0x1d800);
}

/* Whether a mark is over or under a letter. */
static bool is_at(const struct glyph *mark, const struct glyph *letter)
{
    float middle = (mark->x0 + mark->x1) / 2, up = letter->base - mark->base;
    float shared = fminf(mark->x1, letter->x1) - fmaxf(mark->x0, letter->x0);
    float narrow = fminf(mark->x1 - mark->x0, letter->x1 - letter->x0);

    return accepts_accent(letter->code) && !((mark->flags ^ letter->flags) & GLYPH_ROTATED) &&
           fabsf(mark->size - letter->size) < 0.1F * letter->size && narrow > 0 &&
           shared > 0.6F * narrow && middle > letter->x0 &&
           middle < letter->x1 + 0.1F * letter->size && up > -0.1F * letter->size &&
           up < 0.5F * letter->size;
}

/* TeX's stroke takes no room and is drawn over the sign that follows it. */
static bool is_through(const struct glyph *stroke, const struct glyph *sign)
{
    return stroke->code == STROKE && fabsf(stroke->x0 - sign->x0) < 0.1F * sign->size &&
           fabsf(stroke->base - sign->base) < 0.1F * sign->size &&
           stroke->x1 - stroke->x0 < 0.1F * sign->size;
}

/* The character with the mark; 0 if there is none, or if the mark is not that of a Latin letter. */
static uint32_t compose(uint32_t letter, uint32_t mark)
{
    /* Those without a dot are there to have a mark instead. */
    uint32_t c = letter == 0x131 ? 'i' : letter == 0x237 ? 'j' : letter;

    return c < 0x80 || mark == STROKE ? unicode_compose(c, mark) : 0;
}

/* The next or previous glyph that is not a space. */
static size_t neighbour(const struct page_content *content, size_t i, int step)
{
    size_t at = i;

    for (int n = 0; n < 3; n++) {
        if (step < 0 && at == 0)
            break;
        at = step < 0 ? at - 1 : at + 1;
        if (at >= content->n_glyphs || !(content->glyphs[at].flags & GLYPH_SPACE))
            break;
    }
    return at < content->n_glyphs ? at : i;
}

/* A line does not begin where the text goes on. */
static void continue_line(const struct glyph *before, struct glyph *glyph)
{
    if (fabsf(glyph->base - before->base) < 0.02F * glyph->size &&
        fabsf(glyph->x0 - before->x1) < 0.2F * glyph->size)
        glyph->flags = (uint16_t) (glyph->flags & ~GLYPH_FIRST);
}

/* Puts a letter that has the mark now in a place, with what stood for the first of the two there.
 * How many glyphs there are for both. */
static size_t put_accented(struct glyph *place, uint16_t first, struct glyph letter, uint32_t mark)
{
    uint32_t composed = compose(letter.code, mark);

    letter.flags |= first & GLYPH_FIRST;
    if (composed)
        letter.code = composed;
    *place = letter;
    if (composed)
        return 1;
    place[1] = letter;
    place[1].code = mark;
    place[1].x0 = place[1].x1;
    place[1].width = 0;
    place[1].flags = (uint16_t) (letter.flags & ~GLYPH_FIRST);
    return 2;
}

/* Glyphs are read at one place and written at another, before it: a page may have two million. */
struct pass {
    size_t read, written;
};

/* The mark that is to be read and its letter become one where the first of them has its place,
 * `at` among the written, and what is between goes; it is read on at `next`. */
static void join_accent(struct page_content *content, struct pass *pass, size_t letter, size_t at,
                        size_t next, uint32_t mark)
{
    uint16_t first = content->glyphs[letter < pass->read ? letter : pass->read].flags;

    pass->written = at + put_accented(&content->glyphs[at], first, content->glyphs[letter], mark);
    pass->read = next;
    if (at > 0)
        continue_line(&content->glyphs[at - 1], &content->glyphs[at]);
    if (next < content->n_glyphs)
        continue_line(&content->glyphs[pass->written - 1], &content->glyphs[next]);
}

/* Whether the next glyph is a mark and was joined with the letter after it or before it. */
static bool join_next(struct page_content *content, struct pass *pass)
{
    const struct glyph *glyph = &content->glyphs[pass->read];
    uint32_t mark = mark_of(glyph);
    size_t next, before;

    if (mark == 0 && glyph->code != STROKE)
        return false;
    next = neighbour(content, pass->read, 1);
    before = neighbour(content, pass->written, -1);
    if (next != pass->read && is_through(glyph, &content->glyphs[next])) {
        join_accent(content, pass, next, pass->written, next + 1, STROKE);
        return true;
    }
    if (mark && next != pass->read && is_at(glyph, &content->glyphs[next])) {
        join_accent(content, pass, next, pass->written, next + 1, mark);
        return true;
    }
    if (mark && before != pass->written && is_at(glyph, &content->glyphs[before])) {
        join_accent(content, pass, before, before, pass->read + 1, mark);
        return true;
    }
    return false;
}

void accents_join(struct page_content *content)
{
    struct pass pass = { 0, 0 };

    while (pass.read < content->n_glyphs)
        if (!join_next(content, &pass))
            content->glyphs[pass.written++] = content->glyphs[pass.read++];
    content->n_glyphs = pass.written;
}
