#include "engine/page_text/glyph_likeness.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/num.h"
#include "base/scope.h"

/* Costs: 0 is the same glyph. The ink of one letter in two fonts differs by 0.01 to 0.04. */
#define COST_MOST    0.075F /* of a glyph that is like a known one */
#define COST_STRICT  0.030F /* the same in a font most of whose glyphs are like none */
#define COST_LOOSE   0.15F  /* the same in a font most of whose glyphs are like known ones */
#define COST_SURE    0.035F /* of a glyph by which the heights of its font are measured */
#define COST_ASPECT  0.020F /* for e times as wide, compared with the height */
#define COST_PLACE   0.15F  /* for a top or a bottom that is elsewhere by the height of a capital */
#define COST_ROUGH   0.03F  /* the same while the heights of the font are not known */
#define COST_AGAIN   0.050F /* for a character that another glyph of the font is more like */
#define COST_OLD     0.010F /* for a digit of the height of small letters */
#define COST_SCRIPT  0.050F /* for a letter of another script than most of the font */
#define COST_ABSENT  0.020F /* for a glyph of the font that is not on the page */
#define COST_CONTEXT 0.012F /* for each unit of how unlikely the neighbours are */
#define LIKE_SHARE   0.6F   /* of a font's glyphs that have to be like known ones */
#define MEASURED     150    /* glyphs of a font */
#define LETTER       0.8F   /* of the x-height: the height of a letter, at least */
#define SCRIPT_LEAST 6      /* glyphs of the font, or it is Latin */
#define SCRIPT_SHARE 0.95F  /* of the cost as Latin */
#define LIKE_LEAST   10     /* glyphs of the font */
#define LEAST_WEIGHT 0.4F   /* of the ink of small marks */
#define MOST_ASPECT  2.72F  /* times as wide, or as narrow: more are not compared */
#define X_HEIGHT     0.47F  /* of common fonts, in ems */
#define CAP_HEIGHT   0.69F
#define ROUNDS       2      /* in which neighbours that are unknown themselves become known */
#define HANGING      0.3F   /* how far old-style digits hang below the line, by known_look_place */
#define EXCHANGES    4      /* rounds of exchanges in one font */
#define SUBSET       150    /* limit of the glyphs of a subset */
#define PLACES       8192   /* limit of its glyphs with those that draw nothing */
#define BLANK        1e-4F  /* limit of rounding errors, in ems */
#define KEPT         500    /* limit of the glyphs that are kept for the next page */
#define SAVED        0.001F /* by an exchange, at least */

/* A unit is about a factor of e. Before and after: outside a word, capital, small letter, digit. */
enum neighbour { OUTSIDE, CAPITAL, SMALL, DIGIT, CLASSES };
static const float unlikely[CLASSES][CLASSES] = {
    [OUTSIDE] = { [OUTSIDE] = 1, [CAPITAL] = 1, [SMALL] = 0.5F, [DIGIT] = 0.7F },
    [CAPITAL] = { [OUTSIDE] = 0.7F, [CAPITAL] = 0.5F, [SMALL] = 0.5F, [DIGIT] = 2.5F },
    [SMALL] = { [OUTSIDE] = 0.5F, [CAPITAL] = 4, [SMALL] = 0, [DIGIT] = 3 },
    [DIGIT] = { [OUTSIDE] = 0.5F, [CAPITAL] = 2.5F, [SMALL] = 3, [DIGIT] = 0 },
};

struct heights {
    float x, cap; /* ems */
    bool known;
};

static enum glyph_script script_of(int code)
{
    if (code >= 0x386 && code <= 0x3ce)
        return GLYPH_GREEK;
    if (code >= 0x401 && code <= 0x491)
        return GLYPH_CYRILLIC;
    return (code < 0x80 && !((code | 0x20) >= 'a' && (code | 0x20) <= 'z')) ||
                   (code >= 0xa1 && code < 0xc0) || (code >= 0x2010 && code < 0x2200)
               ? GLYPH_COMMON
               : GLYPH_LATIN;
}

static bool is_small(int code)
{
    return (code >= 'a' && code <= 'z') || (code >= 0xdf && code < 0x100 && code != 0xf7) ||
           (code >= 0x100 && code < 0x138 && code & 1) ||
           (code >= 0x139 && code < 0x149 && !(code & 1)) ||
           (code >= 0x14a && code < 0x178 && code & 1) ||
           (code >= 0x179 && code < 0x17f && !(code & 1)) ||
           (code >= 0x218 && code & 1 && code < 0x21c) || (code >= 0x3ac && code < 0x3cf) ||
           (code >= 0x430 && code < 0x460) || code == 0x491 || (code >= 0xfb00 && code < 0xfb05);
}

static enum neighbour class_of(int code)
{
    if (code >= '0' && code <= '9')
        return DIGIT;
    if (is_small(code))
        return SMALL;
    return script_of(code) == GLYPH_COMMON || code == 0xd7 || code == 0xf7 || code > 0x4ff
               ? OUTSIDE
               : CAPITAL;
}

/* What is rare costs more, so that it does not replace what looks nearly the same. */
static float rarity(int code)
{
    static const uint16_t rare[] = { '|',   '`',   0xa9,  0xaa,  0xae,  0xd7,   0x114,  0x115,
                                     0x12c, 0x12d, 0x132, 0x133, 0x134, 0x135,  0x138,  0x13f,
                                     0x140, 0x149, 0x14a, 0x14b, 0x14e, 0x14f,  0x166,  0x167,
                                     0x172, 0x122, 0x131, 0x154, 0x155, 0x2020, 0x2021, 0x2030 };

    for (size_t i = 0; i < COUNT(rare); i++)
        if (rare[i] == code)
            return 0.025F;
    if (code == 0x201a) /* is a comma in most fonts */
        return 0.05F;
    if (code < 0x80)
        return 0;
    if (script_of(code) == GLYPH_COMMON)
        return code >= 0x2010 ? 0.002F : 0.01F;
    return code < 0x100 || code >= 0x386 ? 0.002F : 0.01F;
}

static void put_candidate(struct glyph_candidate *best, size_t *n, int code, float cost)
{
    size_t at = 0, last;

    while (at < *n && best[at].code != code)
        at++;
    if (at < *n && best[at].cost <= cost)
        return;
    last = at < *n ? at : *n < GLYPH_LIKENESS_BEST ? (*n)++ : GLYPH_LIKENESS_BEST - 1;
    if (at == GLYPH_LIKENESS_BEST && best[last].cost <= cost)
        return;
    for (; last > 0 && best[last - 1].cost > cost; last--)
        best[last] = best[last - 1];
    best[last] = (struct glyph_candidate){ code, cost };
}

/* A glyph as it is compared with the known ones. */
struct compared {
    const struct glyph_look *look;
    float top, bottom; /* by known_look_place */
    float width;       /* heights of a capital */
    float place_weight, ink_weight;
};

/* The ink of small marks differs most, and says least. */
static struct compared compared_of(const struct glyph_look *look, const struct heights *heights)
{
    float size = fmaxf(look->width, look->top - look->bottom) / heights->x;

    return (struct compared){ .look = look,
                              .top = known_look_place(look->top, heights->x, heights->cap),
                              .bottom = known_look_place(look->bottom, heights->x, heights->cap),
                              .width = look->width / heights->cap,
                              .place_weight = heights->known ? COST_PLACE : COST_ROUGH,
                              .ink_weight = fminf(fmaxf(size, LEAST_WEIGHT), 1) };
}

/* How far the top and the bottom of a glyph are from those of a known one. Old-style digits, which
 * no built-in font has, are as high as small letters, and five of them hang below the line. */
static float displacement(const struct compared *glyph, const struct known_look *known)
{
    float weight = glyph->place_weight, top = glyph->top, bottom = glyph->bottom;
    float cost = weight * (fabsf(top - known->top) + fabsf(bottom - known->bottom));

    if (known->code >= '0' && known->code <= '9' && known->code != '6' && known->code != '8')
        cost = fminf(cost, COST_OLD + weight * (fabsf(top - KNOWN_LOOK_X) +
                                                fabsf(bottom + (known->code < '3' ? 0 : HANGING))));
    return cost;
}

/* The candidates of one glyph. */
struct weighing {
    struct glyph_candidate best[GLYPH_SCRIPTS][GLYPH_LIKENESS_BEST];
    size_t n[GLYPH_SCRIPTS];
};

/* What two glyphs differ by without their ink, which takes longest to compare. */
static float outer_cost(const struct compared *glyph, const struct known_look *known, float limit)
{
    float cost = displacement(glyph, known);

    if (cost > limit || glyph->width > MOST_ASPECT * known->width ||
        known->width > MOST_ASPECT * glyph->width)
        return INFINITY;
    return cost + rarity(known->code) + COST_ASPECT * fabsf(logf(glyph->width / known->width));
}

/* What a further candidate of a script has to cost less than. */
static float limit_of(const struct weighing *weighing, enum glyph_script script, float most)
{
    size_t n = weighing->n[script];

    return n < GLYPH_LIKENESS_BEST ? most : fminf(most, weighing->best[script][n - 1].cost);
}

/* Adds what the glyph is like at a cost of less than `most`. */
static void weigh(const struct unknown_glyph *glyph, const struct heights *heights,
                  const struct known_looks *known, float most, struct weighing *weighing)
{
    struct compared own = compared_of(&glyph->look, heights);

    for (size_t i = 0; i < known->n; i++) {
        const struct known_look *item = &known->items[i];
        float cost = outer_cost(&own, item, most), limit;
        enum glyph_script script;

        if (cost >= most || (!heights->known && item->code > 0x7f))
            continue;
        script = script_of(item->code);
        limit = limit_of(weighing, script, most);
        if (cost < limit)
            cost += own.ink_weight *
                    glyph_look_distance(&glyph->look, &item->look, (limit - cost) / own.ink_weight);
        if (cost < limit)
            put_candidate(weighing->best[script], &weighing->n[script], item->code, cost);
    }
}

/* The lowest cost of a character that a text of that script has. */
static float lowest(const struct weighing *weighing, enum glyph_script script)
{
    float cost = weighing->n[GLYPH_COMMON] ? weighing->best[GLYPH_COMMON][0].cost : COST_MOST;

    return weighing->n[script] ? fminf(cost, weighing->best[script][0].cost) : cost;
}

static float median(float *values, size_t n)
{
    qsort(values, n, sizeof *values, num_compare_floats);
    return values[n / 2];
}

/* Measures a font by letters that look different as small letters and as capitals. */
static struct heights measure_heights(const struct glyph_likeness *likeness, const fz_font *font,
                                      const struct known_looks *known)
{
    struct heights heights = { X_HEIGHT, CAP_HEIGHT, false };
    float small[MEASURED], capital[MEASURED];
    size_t n_small = 0, n_capital = 0, n = 0;

    for (size_t i = 0; i < likeness->n && n < MEASURED; i++) {
        const struct unknown_glyph *glyph = &likeness->items[i];
        struct weighing weighing = { 0 };
        const struct glyph_candidate *best = &weighing.best[GLYPH_LATIN][0];

        if (glyph->font != font || glyph->look.width == 0)
            continue;
        n++;
        weigh(glyph, &heights, known, COST_SURE, &weighing);
        if (weighing.n[GLYPH_LATIN] == 0 || best->cost > COST_SURE ||
            lowest(&weighing, GLYPH_COMMON) < best->cost)
            continue;
        if (strchr("aemnru", best->code))
            small[n_small++] = glyph->look.top;
        else if (strchr("ABDEFGHKLMNRT", best->code))
            capital[n_capital++] = glyph->look.top;
    }
    if (n_small)
        heights.x = median(small, n_small);
    if (n_capital)
        heights.cap = median(capital, n_capital);
    if (n_small && !n_capital)
        heights.cap = heights.x * CAP_HEIGHT / X_HEIGHT;
    if (n_capital && !n_small)
        heights.x = heights.cap * X_HEIGHT / CAP_HEIGHT;
    if (heights.cap < 1.1F * heights.x)
        heights.cap = heights.x * CAP_HEIGHT / X_HEIGHT;
    heights.known = true;
    return heights;
}

/* The letter of another script that looks like a Latin one in all fonts; 0: there is none. */
static int twin_of(int letter, enum glyph_script script)
{
    static const struct {
        char letter;
        uint16_t greek, cyrillic;
    } twins[] = {
        { 'A', 0x391, 0x410 }, { 'B', 0x392, 0x412 }, { 'C', 0, 0x421 },     { 'E', 0x395, 0x415 },
        { 'H', 0x397, 0x41d }, { 'I', 0x399, 0x406 }, { 'J', 0, 0x408 },     { 'K', 0x39a, 0x41a },
        { 'M', 0x39c, 0x41c }, { 'N', 0x39d, 0 },     { 'O', 0x39f, 0x41e }, { 'P', 0x3a1, 0x420 },
        { 'S', 0, 0x405 },     { 'T', 0x3a4, 0x422 }, { 'X', 0x3a7, 0x425 }, { 'Y', 0x3a5, 0 },
        { 'Z', 0x396, 0 },     { 'a', 0, 0x430 },     { 'c', 0, 0x441 },     { 'e', 0, 0x435 },
        { 'i', 0, 0x456 },     { 'j', 0, 0x458 },     { 'o', 0x3bf, 0x43e }, { 'p', 0, 0x440 },
        { 's', 0, 0x455 },     { 'x', 0, 0x445 },     { 'y', 0, 0x443 },
    };

    for (size_t i = 0; i < COUNT(twins); i++)
        if (twins[i].letter == letter)
            return script == GLYPH_GREEK      ? twins[i].greek
                   : script == GLYPH_CYRILLIC ? twins[i].cyrillic
                                              : 0;
    return 0;
}

/* Puts the candidates of all scripts into one list. */
static void merge(const struct weighing *weighing, enum glyph_script most,
                  struct unknown_glyph *glyph)
{
    for (enum glyph_script s = GLYPH_COMMON; s < GLYPH_SCRIPTS; s++)
        for (size_t k = 0; k < weighing->n[s]; k++) {
            const struct glyph_candidate *best = &weighing->best[s][k];
            int twin = s == GLYPH_LATIN ? twin_of(best->code, most) : 0;

            put_candidate(glyph->best, &glyph->n_best, twin ? twin : best->code,
                          best->cost + (s == GLYPH_COMMON || s == most || twin ? 0 : COST_SCRIPT));
        }
}

/* The script that explains a font's glyphs best: Latin, unless another clearly does it better. */
static enum glyph_script script_of_font(const struct glyph_likeness *likeness, const fz_font *font)
{
    float totals[GLYPH_SCRIPTS] = { 0 };
    enum glyph_script most = GLYPH_LATIN;
    size_t n = 0;

    for (size_t i = 0; i < likeness->n; i++) {
        n += likeness->items[i].font == font;
        for (enum glyph_script s = GLYPH_LATIN;
             likeness->items[i].font == font && s < GLYPH_SCRIPTS; s++)
            totals[s] += likeness->items[i].by_script[s];
    }
    for (enum glyph_script s = GLYPH_LATIN; s < GLYPH_SCRIPTS; s++)
        if (n >= SCRIPT_LEAST && totals[s] < totals[most] * SCRIPT_SHARE)
            most = s;
    return most;
}

/* In a font of letters, more is accepted than in one of other signs. */
static void set_limit(struct glyph_likeness *likeness, const fz_font *font)
{
    size_t n = 0, like = 0;
    float most;

    for (size_t i = 0; i < likeness->n; i++) {
        const struct unknown_glyph *glyph = &likeness->items[i];

        n += glyph->font == font && glyph->look.width > 0;
        like += glyph->font == font && glyph->n_best && glyph->best[0].cost < COST_MOST;
    }
    most = n < LIKE_LEAST                           ? COST_MOST
           : (float) like >= LIKE_SHARE * (float) n ? COST_LOOSE
                                                    : COST_STRICT;
    for (size_t i = 0; i < likeness->n; i++)
        if (likeness->items[i].font == font)
            likeness->items[i].most = most;
}

/* Whether a glyph may be one of those that are compared second: they are letters. */
static bool is_doubtful(const struct unknown_glyph *glyph, const struct heights *heights,
                        const struct weighing *weighing)
{
    return glyph->look.top - glyph->look.bottom > LETTER * heights->x &&
           lowest(weighing, GLYPH_LATIN) > COST_SURE;
}

/* Compares a font's glyphs that have no candidates yet with a part of the known ones. Returns
 * whether any of them may be of another part. */
static bool weigh_all(const struct glyph_likeness *likeness, size_t from,
                      const struct heights *heights, const struct known_looks *known,
                      struct weighing *weighings)
{
    bool doubtful = false;

    for (size_t i = from; i < likeness->n; i++) {
        const struct unknown_glyph *glyph = &likeness->items[i];

        if (glyph->font != likeness->items[from].font || glyph->weighed)
            continue;
        weigh(glyph, heights, known, COST_LOOSE, &weighings[i - from]);
        doubtful |= is_doubtful(glyph, heights, &weighings[i - from]);
    }
    return doubtful;
}

/* Finds the candidates of a font's glyphs that have none yet; `from` is the first of them. */
static void weigh_font(struct glyph_likeness *likeness, size_t from)
{
    const struct known_looks *known = &known_looks_parts[KNOWN_LOOKS_ASCII];
    const fz_font *font = likeness->items[from].font;
    struct heights heights = measure_heights(likeness, font, known);
    struct weighing *weighings = calloc(likeness->n - from, sizeof *weighings);
    enum glyph_script most;

    if (weighings && weigh_all(likeness, from, &heights, known, weighings))
        weigh_all(likeness, from, &heights, &known_looks_parts[KNOWN_LOOKS_REST], weighings);
    for (size_t i = from; weighings && i < likeness->n; i++)
        for (enum glyph_script s = GLYPH_LATIN; s < GLYPH_SCRIPTS; s++)
            if (likeness->items[i].font == font && !likeness->items[i].weighed)
                likeness->items[i].by_script[s] = fminf(lowest(&weighings[i - from], s), COST_MOST);
    most = script_of_font(likeness, font);
    for (size_t i = from; i < likeness->n; i++) {
        struct unknown_glyph *glyph = &likeness->items[i];

        if (glyph->font == font && !glyph->weighed && weighings)
            merge(&weighings[i - from], most, glyph);
        glyph->weighed |= glyph->font == font;
    }
    set_limit(likeness, font);
    free(weighings);
}

static struct unknown_glyph *find_glyph(const struct glyph_likeness *likeness, const fz_font *font,
                                        int glyph)
{
    for (size_t i = 0; i < likeness->n; i++)
        if (likeness->items[i].font == font && likeness->items[i].glyph == glyph)
            return &likeness->items[i];
    return NULL;
}

static struct unknown_glyph *add_glyph(struct glyph_likeness *likeness, fz_context *ctx,
                                       fz_font *font, int glyph)
{
    struct unknown_glyph *item;

    if (likeness->n == GLYPH_LIKENESS_MOST ||
        !LIST_ROOM(likeness->items, likeness->n, likeness->cap))
        return NULL;
    item = &likeness->items[likeness->n];
    *item = (struct unknown_glyph){ .glyph = glyph };
    if (!glyph_look_draw(ctx, font, glyph, INFINITY, &item->look))
        item->look.width = 0;
    item->font = fz_keep_font(ctx, font);
    likeness->n++;
    return item;
}

static bool knows_font(const struct glyph_likeness *likeness, const fz_font *font)
{
    for (size_t i = 0; i < likeness->n; i++)
        if (likeness->items[i].font == font)
            return true;
    return false;
}

/* The glyphs of a subset that draw something. Returns how many there are, or 0 if the font has more
 * than fit: it is not a subset. */
static size_t find_subset(fz_context *ctx, fz_font *font, int glyphs[SUBSET])
{
    const FT_FaceRec *face = fz_font_ft_face(ctx, font);
    long most = face ? face->num_glyphs : 0;
    size_t n = 0;

    for (int glyph = 1; glyph < most && glyph < PLACES; glyph++) {
        fz_rect ink = fz_bound_glyph(ctx, font, glyph, fz_identity);

        if (ink.x1 - ink.x0 <= BLANK || ink.y1 - ink.y0 <= BLANK)
            continue;
        if (n == SUBSET)
            return 0;
        glyphs[n++] = glyph;
    }
    return most <= PLACES ? n : 0;
}

/* A glyph of a subset is recognised together with all others, because the document has them
 * somewhere: what a page says then does not depend on which pages were read before. */
static void add_subset(struct glyph_likeness *likeness, fz_context *ctx, fz_font *font)
{
    int glyphs[SUBSET];
    size_t n = find_subset(ctx, font, glyphs);

    for (size_t i = 0; i < n; i++)
        add_glyph(likeness, ctx, font, glyphs[i]);
}

int glyph_likeness_note(struct glyph_likeness *likeness, fz_context *ctx, fz_font *font, int glyph)
{
    struct unknown_glyph *item;

    if (!knows_font(likeness, font))
        add_subset(likeness, ctx, font);
    item = find_glyph(likeness, font, glyph);
    if (!item) {
        likeness->others = true;
        item = add_glyph(likeness, ctx, font, glyph);
    }
    if (item)
        item->noted = true;
    return item && item->look.width > 0 ? GLYPH_LIKENESS_FIRST + (int) (item - likeness->items) : 0;
}

static struct unknown_glyph *find_unknown(const struct glyph_likeness *likeness, int code)
{
    size_t at = (size_t) (code - GLYPH_LIKENESS_FIRST);

    return code >= GLYPH_LIKENESS_FIRST && at < likeness->n ? &likeness->items[at] : NULL;
}

int glyph_likeness_code(const struct glyph_likeness *likeness, int code)
{
    const struct unknown_glyph *glyph = find_unknown(likeness, code);

    return !glyph ? code : glyph->code > 0 ? glyph->code : FZ_REPLACEMENT_CHARACTER;
}

static enum neighbour class_at(const struct glyph_likeness *likeness, const fz_stext_char *c)
{
    return c ? class_of(glyph_likeness_code(likeness, c->c)) : OUTSIDE;
}

static void look_around(struct glyph_likeness *likeness, const fz_stext_line *line)
{
    const fz_stext_char *before = NULL;

    for (const fz_stext_char *c = line->first_char; c; before = c, c = c->next) {
        struct unknown_glyph *glyph = find_unknown(likeness, c->c);

        if (!glyph)
            continue;
        glyph->n_seen++;
        for (size_t i = 0; i < glyph->n_best; i++) {
            enum neighbour own = class_of(glyph->best[i].code);

            glyph->unlikely[i] += unlikely[class_at(likeness, before)][own] +
                                  unlikely[own][class_at(likeness, c->next)];
        }
    }
}

static float cost_with(const struct unknown_glyph *glyph, size_t candidate)
{
    float context =
        glyph->n_seen ? COST_CONTEXT * glyph->unlikely[candidate] / (float) glyph->n_seen : 0;

    return glyph->best[candidate].cost + (glyph->noted ? context : COST_ABSENT);
}

/* Another glyph of the same font that has a character; NULL: there is none. */
static struct unknown_glyph *owner(const struct glyph_likeness *likeness,
                                   const struct unknown_glyph *glyph, int code)
{
    for (size_t i = 0; i < likeness->n; i++) {
        struct unknown_glyph *other = &likeness->items[i];

        if (other != glyph && other->code == code && other->font == glyph->font)
            return other;
    }
    return NULL;
}

/* The cheapest candidate of a glyph if `lost` is not free for it; returns its cost. */
static float choose_candidate(const struct glyph_likeness *likeness,
                              const struct unknown_glyph *glyph, int lost, int *code)
{
    float least = INFINITY;

    *code = -1;
    for (size_t k = 0; k < glyph->n_best && glyph->best[k].cost < glyph->most; k++) {
        int wanted = glyph->best[k].code;
        float cost = cost_with(glyph, k);

        if (cost < least && (wanted == lost || owner(likeness, glyph, wanted)))
            cost += COST_AGAIN;
        if (cost < least) {
            least = cost;
            *code = wanted;
        }
    }
    return *code < 0 ? glyph->most : least;
}

/* What the character that a glyph has costs it. */
static float present_cost(const struct glyph_likeness *likeness, const struct unknown_glyph *glyph)
{
    for (size_t k = 0; k < glyph->n_best; k++)
        if (glyph->best[k].code == glyph->code)
            return cost_with(glyph, k) + (owner(likeness, glyph, glyph->code) ? COST_AGAIN : 0);
    return glyph->most;
}

/* Gives a glyph a character that another glyph of its font has, if what the other then has costs
 * less in sum. Returns whether it did. */
static bool exchange(struct glyph_likeness *likeness, struct unknown_glyph *glyph)
{
    float present = present_cost(likeness, glyph);

    for (size_t k = 0; k < glyph->n_best && glyph->best[k].cost < glyph->most; k++) {
        int wanted = glyph->best[k].code, other_code, had = glyph->code;
        struct unknown_glyph *other = owner(likeness, glyph, wanted);
        float before, after;

        if (wanted == had || !other || cost_with(glyph, k) >= present)
            continue;
        before = present + present_cost(likeness, other);
        glyph->code = wanted;
        after = cost_with(glyph, k) + choose_candidate(likeness, other, wanted, &other_code);
        if (after < before - SAVED && other_code != wanted) {
            other->code = other_code;
            return true;
        }
        glyph->code = had;
    }
    return false;
}

/* That a glyph is a character. */
struct claim {
    size_t glyph;
    int code;
    float cost;
};

static int by_cost(const void *a, const void *b)
{
    const struct claim *p = a, *q = b;

    return p->cost < q->cost     ? -1
           : p->cost > q->cost   ? 1
           : p->glyph < q->glyph ? -1
                                 : p->glyph > q->glyph;
}

/* Assigns characters, one to each glyph of a font: the likest first, then those that are left, and
 * then exchanges while that makes them likelier. Without memory, nothing is recognised. */
static void decide(struct glyph_likeness *likeness)
{
    struct claim *claims = calloc(likeness->n * GLYPH_LIKENESS_BEST, sizeof *claims);
    size_t n = 0;
    bool changed = claims != NULL;

    for (size_t i = 0; claims && i < likeness->n; i++) {
        const struct unknown_glyph *glyph = &likeness->items[i];

        likeness->items[i].code = -1;
        for (size_t k = 0; k < glyph->n_best && glyph->best[k].cost < glyph->most; k++)
            claims[n++] = (struct claim){ i, glyph->best[k].code, cost_with(glyph, k) };
    }
    if (n)
        qsort(claims, n, sizeof *claims, by_cost);
    for (size_t i = 0; i < n; i++) {
        struct unknown_glyph *glyph = &likeness->items[claims[i].glyph];

        if (glyph->code < 0 && !owner(likeness, glyph, claims[i].code))
            glyph->code = claims[i].code;
    }
    free(claims);
    for (int round = 0; changed && round < EXCHANGES; round++) {
        changed = false;
        for (size_t i = 0; i < likeness->n; i++) {
            struct unknown_glyph *glyph = &likeness->items[i];
            float present = present_cost(likeness, glyph);
            int code;

            if (choose_candidate(likeness, glyph, 0, &code) < present - SAVED && code > 0) {
                glyph->code = code;
                changed = true;
            }
            changed |= exchange(likeness, glyph);
        }
    }
}

static void each_line(const fz_stext_page *text, struct glyph_likeness *likeness,
                      void (*function)(struct glyph_likeness *, const fz_stext_line *))
{
    for (const fz_stext_block *block = text->first_block; block; block = block->next)
        if (block->type == FZ_STEXT_BLOCK_TEXT)
            for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next)
                function(likeness, line);
}

/* How unsure it is that a glyph is the character that it was given, in percent: 0 if it looks the
 * same as a known one, half if it is as different as is accepted. */
static int doubt_of(const struct unknown_glyph *glyph)
{
    for (size_t k = 0; k < glyph->n_best; k++)
        if (glyph->best[k].code == glyph->code)
            return (int) lrintf(fminf(50 * glyph->best[k].cost / glyph->most, 50));
    return 50;
}

static void replace_codes(struct glyph_likeness *likeness, const fz_stext_line *line)
{
    for (fz_stext_char *c = line->first_char; c; c = c->next) {
        const struct unknown_glyph *glyph = find_unknown(likeness, c->c);

        if (!glyph)
            continue;
        if (glyph->code > 0)
            c->color = (c->color & 0x1ffffff) | doubt_of(glyph) << GLYPH_LIKENESS_DOUBT;
        c->c = glyph_likeness_code(likeness, c->c);
    }
}

static void forget_neighbours(struct glyph_likeness *likeness)
{
    for (size_t i = 0; i < likeness->n; i++) {
        likeness->items[i].n_seen = 0;
        memset(likeness->items[i].unlikely, 0, sizeof likeness->items[i].unlikely);
    }
}

void glyph_likeness_settle(struct glyph_likeness *likeness, const fz_stext_page *text)
{
    if (likeness->n == 0)
        return;
    for (size_t i = 0; i < likeness->n; i++)
        if (!likeness->items[i].weighed)
            weigh_font(likeness, i);
    forget_neighbours(likeness);
    for (int round = 0; round < ROUNDS; round++) {
        decide(likeness);
        forget_neighbours(likeness);
        each_line(text, likeness, look_around);
    }
    decide(likeness);
    each_line(text, likeness, replace_codes);
}

void glyph_likeness_end_page(struct glyph_likeness *likeness, fz_context *ctx)
{
    for (size_t i = 0; i < likeness->n; i++)
        likeness->items[i].noted = false;
    if (likeness->others || likeness->n > KEPT)
        glyph_likeness_free(likeness, ctx);
}

void glyph_likeness_free(struct glyph_likeness *likeness, fz_context *ctx)
{
    for (size_t i = 0; i < likeness->n; i++)
        fz_drop_font(ctx, likeness->items[i].font);
    free(likeness->items);
    *likeness = (struct glyph_likeness){ 0 };
}
