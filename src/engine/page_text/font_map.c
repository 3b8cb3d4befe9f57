#include "engine/page_text/font_map.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "base/scope.h"

#define MAX_FONTS   4096
#define TYPED_LEAST 12     /* characters of a monospaced font without a name, at least */
#define TYPED_SLACK 0.005F /* of its width: by how much those of its characters differ, at most */

/* Families by the beginnings of font names in PDFs, without blanks and hyphens. Text in measured
 * families is spaced. */
static const struct {
    const char *begins, *family;
} known[] = {
    { "arialnarrow", "Arial Narrow" },
    { "arialunicode", "Arial Unicode MS" },
    { "arial", "Arial" },
    { "helvetica", "Arial" },
    { "nimbussan", "Arial" },
    { "liberationsansnarrow", "Arial Narrow" },
    { "liberationsans", "Arial" },
    { "timesnewroman", "Times New Roman" },
    { "times", "Times New Roman" },
    { "nimbusrom", "Times New Roman" },
    { "liberationserif", "Times New Roman" },
    { "courier", "Courier New" },
    { "nimbusmon", "Courier New" },
    { "liberationmono", "Courier New" },
    { "calibri", "Calibri" },
    { "carlito", "Calibri" },
    { "cambria", "Cambria" },
    { "caladea", "Cambria" },
    { "verdana", "Verdana" },
    { "dejavusansmono", "DejaVu Sans Mono" },
    { "dejavusans", "DejaVu Sans" },
    { "dejavuserif", "DejaVu Serif" },
    { "georgia", "Georgia" },
    { "tahoma", "Tahoma" },
    { "consolas", "Consolas" },
    { "simsun", "SimSun" },
    { "simhei", "SimHei" },
    { "microsoftyahei", "Microsoft YaHei" },
    { "wingdings", "Wingdings" },
    { "glyphless", "Times New Roman" }, /* invisible text over scans */
    { "symbol", "Symbol" },
};

static bool any_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasestr(text, *words))
            return true;
    return false;
}

/* MuPDF cuts names after 31 characters, which may cut these words, too. */
static const char *const bold_words[] = { "bold", "black", "heavy", "semib", "demi", "cmbx",
                                          "sfbx", "-bd",   "-blk",  "-hv",   "-dem", NULL };
static const char *const italic_words[] = { "ital", "obli", "cmti", "cmmi", "cmsl",
                                            "sfti", "sfsl", "-it",  "bdit", NULL };
static const char *const light_words[] = { "light", "thin", NULL };
static const char *const mono_words[] = { "mono", "cour", "consol", "cmtt", "typewriter", NULL };
static const char *const sans_words[] = { "sans",    "helv",   "gothic", "grotesk", "frutiger",
                                          "univers", "myriad", "roboto", "lato",    "open",
                                          "segoe",   "cmss",   "univ",   "futura",  "gill",
                                          "trebuc",  "ubuntu", NULL };

static const char *const hollow_words[] = { "hollow", "outline", NULL };

/* Whether all characters of a Type 3 font, whose name says nothing, have one width. A font of a few
 * characters, or of the digits alone, can be another one's. */
static bool is_typed_type3(fz_context *ctx, fz_font *from)
{
    fz_buffer **drawn = fz_font_t3_procs(ctx, from);
    float width = 0;
    int n = 0;

    for (int c = 0; drawn && c < 256; c++) {
        float own = drawn[c] ? fz_advance_glyph(ctx, from, c, 0) : 0;

        if (own <= 0)
            continue;
        if (n++ == 0)
            width = own;
        if (fabsf(own - width) > TYPED_SLACK * width)
            return false;
    }
    return n >= TYPED_LEAST;
}

static void choose_family(struct page_font *font, fz_context *ctx, fz_font *from)
{
    char plain[64];
    size_t n = 0;

    for (const char *p = font->source; *p && n + 1 < sizeof plain; p++)
        if (isalnum((unsigned char) *p))
            plain[n++] = (char) tolower((unsigned char) *p);
    plain[n] = '\0';
    for (size_t i = 0; i < COUNT(known); i++)
        if (strncmp(plain, known[i].begins, strlen(known[i].begins)) == 0) {
            snprintf(font->family, sizeof font->family, "%s", known[i].family);
            return;
        }
    snprintf(font->family, sizeof font->family, "%s",
             any_of(plain, mono_words) || fz_font_is_monospaced(ctx, from) ||
                     is_typed_type3(ctx, from)
                 ? "Courier New"
             : any_of(plain, sans_words)                             ? "Arial"
             : fz_font_is_serif(ctx, from) || !strstr(plain, "sans") ? "Times New Roman"
                                                                     : "Arial");
}

static const char *builtin(const struct page_font *font)
{
    static const char *const names[3][4] = {
        { "Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique" },
        { "Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic" },
        { "Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique" },
    };
    int kind = strcmp(font->family, "Arial") == 0             ? 0
               : strcmp(font->family, "Times New Roman") == 0 ? 1
               : strcmp(font->family, "Courier New") == 0     ? 2
                                                              : -1;

    return kind < 0 ? NULL : names[kind][(font->bold ? 1 : 0) + (font->italic ? 2 : 0)];
}

static void measure_widths(struct page_font *font, fz_context *ctx, float *widths)
{
    const char *name = builtin(font);
    fz_font *measured = name ? fz_new_base14_font(ctx, name) : NULL;

    memset(widths, 0, 256 * sizeof *widths);
    for (int c = ' '; measured && c < 256; c++) {
        int glyph = fz_encode_character(ctx, measured, c);

        widths[c] = glyph > 0 ? fz_advance_glyph(ctx, measured, glyph, 0) : 0;
    }
    font->measured = measured != NULL;
    fz_drop_font(ctx, measured);
}

const char *font_map_base_name(const char *name)
{
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    return n == 6 && name[6] == '+' ? name + 7 : name;
}

static bool is_same_font(const struct page_font *a, const struct page_font *b)
{
    return strcmp(a->source, b->source) == 0 && a->bold == b->bold && a->italic == b->italic &&
           a->type3 == b->type3;
}

/* What flags and names are silent of, letters show; a light font is not bold, whatever its flags
 * say. */
static void find_weight(struct page_font *font, fz_context *ctx, fz_font *from, bool bold,
                        struct font_shapes *shapes)
{
    const char *name = font->source;
    bool substitute = fz_font_flags(from)->ft_substitute;
    struct font_shape shape =
        substitute ? (struct font_shape){ 0 } : font_shape_find(shapes, ctx, from);

    font->bold = bold || any_of(name, bold_words) || shape.bold ||
                 (fz_font_is_bold(ctx, from) && !any_of(name, light_words));
    font->italic = fz_font_is_italic(ctx, from) || any_of(name, italic_words) || shape.italic;
}

size_t font_map_name(struct page_content *content, fz_context *ctx, fz_font *from, bool bold,
                     struct font_shapes *shapes)
{
    const char *name = font_map_base_name(fz_font_name(ctx, from));
    struct page_font font = { .hollow = any_of(name, hollow_words),
                              .type3 = fz_font_t3_procs(ctx, from) != NULL };

    snprintf(font.source, sizeof font.source, "%s", name);
    find_weight(&font, ctx, from, bold, shapes);
    for (size_t i = 0; i < content->n_own_fonts; i++)
        if (is_same_font(&content->own_fonts[i], &font))
            return i;
    if (content->n_own_fonts == MAX_FONTS ||
        !LIST_ROOM(content->own_fonts, content->n_own_fonts, content->cap_own_fonts))
        return 0;
    choose_family(&font, ctx, from);
    content->own_fonts[content->n_own_fonts] = font;
    return content->n_own_fonts++;
}

/* The document's index of a page's font; 0 without memory. */
static size_t add_font(struct font_map *fonts, fz_context *ctx, const struct page_font *font)
{
    for (size_t i = 0; i < fonts->n; i++)
        if (is_same_font(&fonts->items[i], font))
            return i;
    if (fonts->n == MAX_FONTS || !LIST_ROOM(fonts->items, fonts->n, fonts->cap) ||
        !LIST_ROOM(fonts->widths, fonts->n, fonts->cap_widths))
        return 0;
    fonts->items[fonts->n] = *font;
    measure_widths(&fonts->items[fonts->n], ctx, fonts->widths[fonts->n]);
    return fonts->n++;
}

/* Characters as wide as they are high in every font: kana, ideographs, Hangul, full-width forms. */
static bool is_full_width(uint32_t code)
{
    return (code >= 0x3041 && code <= 0x30fe) || (code >= 0x3400 && code <= 0x9fff) ||
           (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0xff01 && code <= 0xff5e);
}

float font_map_width(const struct font_map *fonts, size_t font, uint32_t code)
{
    /* WinAnsi's dashes and quotes have the same widths in all known families as these
     * characters. */
    static const struct {
        uint32_t code;
        float sans, serif;
    } more[] = { { 0x2013, 0.556F, 0.5F },   { 0x2014, 1, 1 },
                 { 0x2018, 0.222F, 0.333F }, { 0x2019, 0.222F, 0.333F },
                 { 0x201c, 0.333F, 0.444F }, { 0x201d, 0.333F, 0.444F },
                 { 0x2022, 0.35F, 0.35F },   { 0x2026, 1, 1 } };

    if (is_full_width(code))
        return 1;
    if (font >= fonts->n || !fonts->items[font].measured)
        return 0;
    if (code < 256)
        return fonts->widths[font][code];
    if (strcmp(fonts->items[font].family, "Courier New") == 0)
        return code < 0x3000 ? 0.6F : 0;
    for (size_t i = 0; i < COUNT(more); i++)
        if (more[i].code == code)
            return strcmp(fonts->items[font].family, "Arial") == 0 ? more[i].sans : more[i].serif;
    return 0;
}

void font_map_apply(struct font_map *fonts, fz_context *ctx, struct page_content *content,
                    uint16_t *numbers)
{
    for (size_t i = 0; i < content->n_own_fonts; i++)
        numbers[i] = (uint16_t) add_font(fonts, ctx, &content->own_fonts[i]);
    for (size_t i = 0; i < content->n_glyphs; i++) {
        struct glyph *glyph = &content->glyphs[i];

        /* Without memory for the first font, the document has no fonts. */
        glyph->font = content->n_own_fonts ? numbers[glyph->font] : 0;
        glyph->width = font_map_width(fonts, glyph->font, glyph->code) * glyph->size;
    }
}

void font_map_free(struct font_map *fonts)
{
    free(fonts->items);
    free(fonts->widths);
    *fonts = (struct font_map){ 0 };
}
