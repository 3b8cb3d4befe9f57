/*
 * known_looks_table: prints known_looks.h's looks of MuPDF's built-in fonts as a C file, for the
 * build. To draw them in each job would take longer than most documents do.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/page_text/known_looks.h"

static const char *const standard[] = {
    "Helvetica",   "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique",
    "Times-Roman", "Times-Bold",     "Times-Italic",      "Times-BoldItalic",
    "Courier",     "Courier-Bold",   "Courier-Oblique",
};

static const struct {
    const char *name;
    int bold, italic;
} others[] = {
    { "Charis SIL", 0, 0 }, { "Charis SIL", 1, 0 }, { "Charis SIL", 0, 1 },
    { "Charis SIL", 1, 1 }, { "Noto Serif", 0, 0 }, { "Noto Sans Math", 0, 0 },
};

/* Of Latin, Greek and Cyrillic, what is used today. */
static const struct range {
    uint16_t from, to;
} basic[] = { { 0x21, 0x7e },     { 0x2013, 0x2014 }, { 0x2018, 0x201a }, { 0x201c, 0x201e },
              { 0x2020, 0x2022 }, { 0x2026, 0x2026 }, { 0x2030, 0x2030 }, { 0x2039, 0x203a },
              { 0x20ac, 0x20ac }, { 0xfb00, 0xfb04 } },
  rest[] = { { 0xa1, 0xa7 },    { 0xa9, 0xac },   { 0xae, 0xae },   { 0xb0, 0xb1 },
             { 0xb6, 0xb7 },    { 0xba, 0x137 },  { 0x139, 0x148 }, { 0x14a, 0x17e },
             { 0x218, 0x21b },  { 0x386, 0x386 }, { 0x388, 0x38a }, { 0x38c, 0x38c },
             { 0x38e, 0x3a1 },  { 0x3a3, 0x3ce }, { 0x401, 0x40c }, { 0x40e, 0x44f },
             { 0x451, 0x45c },  { 0x45e, 0x45f }, { 0x490, 0x491 }, { 0x2116, 0x2116 },
             { 0x2122, 0x2122 } };

/* Italics of mathematics, which are rounder than those of text. */
#define MATH_ITALIC      0x1d434
#define MATH_BOLD_ITALIC 0x1d468

struct table {
    struct known_look *items;
    size_t n, cap;
};

struct face {
    fz_font *font;
    float x, cap; /* heights of small letters and of capitals, in ems */
};

static struct table parts[KNOWN_LOOKS_PARTS];

static float height_of(fz_context *ctx, fz_font *font, int letter)
{
    struct glyph_look look;

    return glyph_look_draw(ctx, font, fz_encode_character(ctx, font, letter), INFINITY, &look)
               ? look.top
               : 0;
}

/* Adds what a character looks like, up to a height, as the look of another. */
static void add_look(struct table *looks, fz_context *ctx, const struct face *face, int look,
                     float below, int code)
{
    int glyph = fz_encode_character(ctx, face->font, look);
    struct known_look *item;

    if (glyph <= 0 || !LIST_ROOM(looks->items, looks->n, looks->cap))
        return;
    item = &looks->items[looks->n];
    if (!glyph_look_draw(ctx, face->font, glyph, below, &item->look))
        return;
    item->code = (uint16_t) code;
    item->top = known_look_place(item->look.top, face->x, face->cap);
    item->bottom = known_look_place(item->look.bottom, face->x, face->cap);
    item->width = item->look.width / face->cap;
    looks->n++;
}

static void add_ranges(struct table *looks, fz_context *ctx, const struct face *face,
                       const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int code = ranges[i].from; code <= ranges[i].to; code++)
            add_look(looks, ctx, face, code, INFINITY, code);
}

static void add_face(enum known_looks_part part, fz_context *ctx, fz_font *font)
{
    struct table *looks = &parts[part];
    struct face face = { font, height_of(ctx, font, 'x'), height_of(ctx, font, 'H') };

    if (face.x <= 0 || face.cap <= face.x)
        return;
    if (part == KNOWN_LOOKS_REST) {
        add_ranges(looks, ctx, &face, rest, COUNT(rest));
    } else {
        add_ranges(looks, ctx, &face, basic, COUNT(basic));
        /* The a that is round, as in handwriting, which few of the fonts have, is a d without its
         * ascender. */
        add_look(looks, ctx, &face, 'd', face.x, 'a');
        for (int i = 0; i < 26; i++) {
            add_look(looks, ctx, &face, MATH_ITALIC + 26 + i, INFINITY, 'a' + i);
            add_look(looks, ctx, &face, MATH_BOLD_ITALIC + 26 + i, INFINITY, 'a' + i);
        }
    }
}

/* A font that the library was built without is left out. */
static void add_font(enum known_looks_part part, fz_context *ctx, const char *name,
                     const unsigned char *bytes, int len)
{
    fz_font *font = NULL;

    fz_var(font);
    fz_try(ctx)
    {
        font = bytes ? fz_new_font_from_memory(ctx, name, bytes, len, 0, 0) : NULL;
        if (font)
            add_face(part, ctx, font);
    }
    fz_always(ctx)
    {
        fz_drop_font(ctx, font);
    }
    fz_catch(ctx)
    {
        /* The others remain. */
    }
}

static void make_table(enum known_looks_part part, fz_context *ctx)
{
    const unsigned char *bytes;
    int len;

    for (size_t i = 0; i < COUNT(standard); i++) {
        bytes = fz_lookup_base14_font(ctx, standard[i], &len);
        add_font(part, ctx, standard[i], bytes, len);
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        bytes = fz_lookup_builtin_font(ctx, others[i].name, others[i].bold, others[i].italic, &len);
        add_font(part, ctx, others[i].name, bytes, len);
    }
}

static void print_look(const struct known_look *item)
{
    const struct glyph_look *look = &item->look;

    printf("{{\"");
    for (int i = 0; i < GLYPH_LOOK_CELLS; i++)
        printf("\\%03o", look->cells[i]);
    printf("\",{");
    for (int i = 0; i < GLYPH_LOOK_COARSE; i++)
        printf("%d,", look->coarse[i]);
    printf("},%a,%a,%a,%a},%a,%a,%a,%d},\n", (double) look->width, (double) look->bottom,
           (double) look->top, (double) look->advance, (double) item->top, (double) item->bottom,
           (double) item->width, item->code);
}

static void print_part(const char *name, const struct table *table)
{
    printf("static const struct known_look %s[] = {\n", name);
    for (size_t i = 0; i < table->n; i++)
        print_look(&table->items[i]);
    printf("};\n");
}

int main(void)
{
    fz_context *ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);

    if (!ctx)
        return 1;
    for (enum known_looks_part part = 0; part < KNOWN_LOOKS_PARTS; part++)
        make_table(part, ctx);
    fz_drop_context(ctx);
    if (!parts[KNOWN_LOOKS_ASCII].n || !parts[KNOWN_LOOKS_REST].n)
        return 1;
    printf("#include \"engine/page_text/known_looks.h\"\n");
    print_part("ascii", &parts[KNOWN_LOOKS_ASCII]);
    print_part("rest", &parts[KNOWN_LOOKS_REST]);
    printf("const struct known_looks known_looks_parts[KNOWN_LOOKS_PARTS] = {\n"
           "{ascii, sizeof ascii / sizeof ascii[0]},\n{rest, sizeof rest / sizeof rest[0]},\n};\n");
    for (enum known_looks_part part = 0; part < KNOWN_LOOKS_PARTS; part++)
        free(parts[part].items);
    return fflush(stdout) == 0 ? 0 : 1;
}
