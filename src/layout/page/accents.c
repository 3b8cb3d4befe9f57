#include "layout/page/accents.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"

/* Marks as characters of their own, and those that are combined with the letter before them. */
static const uint16_t marks[][2] = {
    { '`', 0x300 },   { 0xb4, 0x301 },  { '^', 0x302 },  { 0x2c6, 0x302 },
    { '~', 0x303 },   { 0x2dc, 0x303 }, { 0xaf, 0x304 }, { 0x2c9, 0x304 },
    { 0x2d8, 0x306 }, { 0x2d9, 0x307 }, { 0xa8, 0x308 }, { 0x2da, 0x30a },
    { 0x2dd, 0x30b }, { 0x2c7, 0x30c }, { 0xb8, 0x327 }, { 0x2db, 0x328 },
};

/* Letters that have a character with the mark (Unicode Character Database, decompositions). */
static const struct {
    const char *letters;
    uint16_t mark;
    uint16_t composed[39];
} letters[] = {
    { "AEINOUWYaeinouwy",
      0x300,
      { 0xc0, 0xc8, 0xcc, 0x1f8, 0xd2, 0xd9, 0x1e80, 0x1ef2, 0xe0, 0xe8, 0xec, 0x1f9, 0xf2, 0xf9,
        0x1e81, 0x1ef3 } },
    { "ACEGIKLMNOPRSUWYZacegiklmnoprsuwyz",
      0x301,
      { 0xc1,   0x106, 0xc9,   0x1f4,  0xcd,  0x1e30, 0x139, 0x1e3e, 0x143, 0xd3, 0x1e54, 0x154,
        0x15a,  0xda,  0x1e82, 0xdd,   0x179, 0xe1,   0x107, 0xe9,   0x1f5, 0xed, 0x1e31, 0x13a,
        0x1e3f, 0x144, 0xf3,   0x1e55, 0x155, 0x15b,  0xfa,  0x1e83, 0xfd,  0x17a } },
    { "ACEGHIJOSUWYZaceghijosuwyz",
      0x302,
      { 0xc2, 0x108, 0xca, 0x11c, 0x124, 0xce, 0x134, 0xd4, 0x15c, 0xdb, 0x174, 0x176, 0x1e90,
        0xe2, 0x109, 0xea, 0x11d, 0x125, 0xee, 0x135, 0xf4, 0x15d, 0xfb, 0x175, 0x177, 0x1e91 } },
    { "AEINOUVYaeinouvy",
      0x303,
      { 0xc3, 0x1ebc, 0x128, 0xd1, 0xd5, 0x168, 0x1e7c, 0x1ef8, 0xe3, 0x1ebd, 0x129, 0xf1, 0xf5,
        0x169, 0x1e7d, 0x1ef9 } },
    { "AEGIOUYaegiouy",
      0x304,
      { 0x100, 0x112, 0x1e20, 0x12a, 0x14c, 0x16a, 0x232, 0x101, 0x113, 0x1e21, 0x12b, 0x14d, 0x16b,
        0x233 } },
    { "AEGIOUaegiou",
      0x306,
      { 0x102, 0x114, 0x11e, 0x12c, 0x14e, 0x16c, 0x103, 0x115, 0x11f, 0x12d, 0x14f, 0x16d } },
    { "ABCDEFGHIMNOPRSTWXYZabcdefghmnoprstwxyz",
      0x307,
      { 0x226,  0x1e02, 0x10a,  0x1e0a, 0x116,  0x1e1e, 0x120,  0x1e22, 0x130,  0x1e40,
        0x1e44, 0x22e,  0x1e56, 0x1e58, 0x1e60, 0x1e6a, 0x1e86, 0x1e8a, 0x1e8e, 0x17b,
        0x227,  0x1e03, 0x10b,  0x1e0b, 0x117,  0x1e1f, 0x121,  0x1e23, 0x1e41, 0x1e45,
        0x22f,  0x1e57, 0x1e59, 0x1e61, 0x1e6b, 0x1e87, 0x1e8b, 0x1e8f, 0x17c } },
    { "AEHIOUWXYaehiotuwxy",
      0x308,
      { 0xc4, 0xcb, 0x1e26, 0xcf, 0xd6, 0xdc, 0x1e84, 0x1e8c, 0x178, 0xe4, 0xeb, 0x1e27, 0xef, 0xf6,
        0x1e97, 0xfc, 0x1e85, 0x1e8d, 0xff } },
    { "AUauwy", 0x30a, { 0xc5, 0x16e, 0xe5, 0x16f, 0x1e98, 0x1e99 } },
    { "OUou", 0x30b, { 0x150, 0x170, 0x151, 0x171 } },
    { "ACDEGHIKLNORSTUZacdeghijklnorstuz",
      0x30c,
      { 0x1cd, 0x10c, 0x10e, 0x11a, 0x1e6, 0x21e, 0x1cf, 0x1e8, 0x13d, 0x147, 0x1d1,
        0x158, 0x160, 0x164, 0x1d3, 0x17d, 0x1ce, 0x10d, 0x10f, 0x11b, 0x1e7, 0x21f,
        0x1d0, 0x1f0, 0x1e9, 0x13e, 0x148, 0x1d2, 0x159, 0x161, 0x165, 0x1d4, 0x17e } },
    { "CDEGHKLNRSTcdeghklnrst", 0x327, { 0xc7,  0x1e10, 0x228, 0x122, 0x1e28, 0x136, 0x13b, 0x145,
                                         0x156, 0x15e,  0x162, 0xe7,  0x1e11, 0x229, 0x123, 0x1e29,
                                         0x137, 0x13c,  0x146, 0x157, 0x15f,  0x163 } },
    { "AEIOUaeiou",
      0x328,
      { 0x104, 0x118, 0x12e, 0x1ea, 0x172, 0x105, 0x119, 0x12f, 0x1eb, 0x173 } },
};

#define STROKE 0x338 /* through a sign: not */

/* Signs that have a character with it. */
static const uint16_t signs[][2] = {
    { 0x3d, 0x2260 },   { 0x3c, 0x226e },   { 0x3e, 0x226f },   { 0x2208, 0x2209 },
    { 0x220b, 0x220c }, { 0x2261, 0x2262 }, { 0x223c, 0x2241 }, { 0x2243, 0x2244 },
    { 0x2245, 0x2247 }, { 0x2248, 0x2249 }, { 0x2264, 0x2270 }, { 0x2265, 0x2271 },
    { 0x224d, 0x226d }, { 0x227a, 0x2280 }, { 0x227b, 0x2281 }, { 0x2282, 0x2284 },
    { 0x2283, 0x2285 }, { 0x2286, 0x2288 }, { 0x2287, 0x2289 }, { 0x22a2, 0x22ac },
    { 0x22a8, 0x22ad }, { 0x22a9, 0x22ae }, { 0x2203, 0x2204 }, { 0x2223, 0x2224 },
    { 0x2225, 0x2226 }, { 0x2190, 0x219a }, { 0x2192, 0x219b }, { 0x2194, 0x21ae },
    { 0x21d0, 0x21cd }, { 0x21d2, 0x21cf }, { 0x21d4, 0x21ce }
};

/* The combining mark that a glyph is; or 0. */
static uint32_t mark_of(const struct glyph *glyph)
{
    for (size_t i = 0; i < COUNT(marks); i++)
        if (marks[i][0] == glyph->code)
            return marks[i][1];
    return 0;
}

static bool is_letter(uint32_t c)
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

    return is_letter(letter->code) && !((mark->flags ^ letter->flags) & GLYPH_TURNED) &&
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

static uint32_t compose(uint32_t letter, uint32_t mark)
{
    /* Those without a dot are there to have a mark instead. */
    char c = (char) (letter == 0x131 ? 'i' : letter == 0x237 ? 'j' : letter < 0x80 ? letter : 0);

    for (size_t i = 0; i < COUNT(signs) && mark == STROKE; i++)
        if (signs[i][0] == letter)
            return signs[i][1];
    for (size_t i = 0; i < COUNT(letters); i++) {
        const char *found = letters[i].mark == mark && c ? strchr(letters[i].letters, c) : NULL;

        if (found)
            return letters[i].composed[found - letters[i].letters];
    }
    return 0;
}

/* The next or previous glyph that is not a space. */
static size_t beside(const struct sheet *sheet, size_t i, int step)
{
    size_t at = i;

    for (int n = 0; n < 3; n++) {
        if (step < 0 && at == 0)
            break;
        at = step < 0 ? at - 1 : at + 1;
        if (at >= sheet->n_glyphs || !(sheet->glyphs[at].flags & GLYPH_SPACE))
            break;
    }
    return at < sheet->n_glyphs ? at : i;
}

/* A line does not begin where the text goes on. */
static void go_on(const struct glyph *before, struct glyph *glyph)
{
    if (fabsf(glyph->base - before->base) < 0.02F * glyph->size &&
        fabsf(glyph->x0 - before->x1) < 0.2F * glyph->size)
        glyph->flags = (uint16_t) (glyph->flags & ~GLYPH_FIRST);
}

/* Puts a letter that has the mark now in a place, with what stood for the first of the two there.
 * How many glyphs there are for both. */
static size_t put(struct glyph *place, uint16_t first, struct glyph letter, uint32_t mark)
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
static void join(struct sheet *sheet, struct pass *pass, size_t letter, size_t at, size_t next,
                 uint32_t mark)
{
    uint16_t first = sheet->glyphs[letter < pass->read ? letter : pass->read].flags;

    pass->written = at + put(&sheet->glyphs[at], first, sheet->glyphs[letter], mark);
    pass->read = next;
    if (at > 0)
        go_on(&sheet->glyphs[at - 1], &sheet->glyphs[at]);
    if (next < sheet->n_glyphs)
        go_on(&sheet->glyphs[pass->written - 1], &sheet->glyphs[next]);
}

/* Whether the next glyph is a mark and was joined with the letter after it or before it. */
static bool join_next(struct sheet *sheet, struct pass *pass)
{
    const struct glyph *glyph = &sheet->glyphs[pass->read];
    uint32_t mark = mark_of(glyph);
    size_t next, before;

    if (mark == 0 && glyph->code != STROKE)
        return false;
    next = beside(sheet, pass->read, 1);
    before = beside(sheet, pass->written, -1);
    if (next != pass->read && is_through(glyph, &sheet->glyphs[next])) {
        join(sheet, pass, next, pass->written, next + 1, STROKE);
        return true;
    }
    if (mark && next != pass->read && is_at(glyph, &sheet->glyphs[next])) {
        join(sheet, pass, next, pass->written, next + 1, mark);
        return true;
    }
    if (mark && before != pass->written && is_at(glyph, &sheet->glyphs[before])) {
        join(sheet, pass, before, before, pass->read + 1, mark);
        return true;
    }
    return false;
}

void accents_join(struct sheet *sheet)
{
    struct pass pass = { 0, 0 };

    while (pass.read < sheet->n_glyphs)
        if (!join_next(sheet, &pass))
            sheet->glyphs[pass.written++] = sheet->glyphs[pass.read++];
    sheet->n_glyphs = pass.written;
}
