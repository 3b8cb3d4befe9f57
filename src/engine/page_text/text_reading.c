#include "engine/page_text/text_reading.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/mupdf/hook_device.h"
#include "engine/page_text/symbol_fonts.h"
#include "layout/page/unicode.h"
#include "layout/page/words.h"

#define MAX_FONTS   500
#define MAX_GLYPHS  65536
#define MAX_UNREAD  5000
#define MAX_PENDING 100000 /* glyphs of a page that are recognised by likeness */
#define BOLD        0x1000000
#define KASHIDA     0.9F   /* part of its width that a stroke between letters takes, at least */
#define FLAT        0.25F  /* font sizes: its height, at most */
#define BLANK       1e-4F  /* limit of rounding errors, in font sizes */
#define STROKE      0.008F /* thinner strokes do not make text bold, in font sizes */

/* A font with glyphs without Unicode. */
struct text_reading_font {
    fz_font *font;
    uint16_t *codes; /* the character of each glyph by the program's own table; 0: not in it */
};

/* Names that the Adobe Glyph List does not have: those of TeX's fonts, in which one character
 * comes in several sizes. */
static const struct {
    const char *name;
    uint16_t code;
} names[] = {
    { "summation", 0x2211 },
    { "product", 0x220f },
    { "coproduct", 0x2210 },
    { "integral", 0x222b },
    { "contintegral", 0x222e },
    { "union", 0x22c3 },
    { "intersection", 0x22c2 },
    { "unionmulti", 0x2a04 },
    { "unionsq", 0x2a06 },
    { "logicaland", 0x22c0 },
    { "logicalor", 0x22c1 },
    { "circleplus", 0x2a01 },
    { "circlemultiply", 0x2a02 },
    { "circledot", 0x2a00 },
    { "parenleft", '(' },
    { "parenright", ')' },
    { "bracketleft", '[' },
    { "bracketright", ']' },
    { "braceleft", '{' },
    { "braceright", '}' },
    { "angbracketleft", 0x27e8 },
    { "angbracketright", 0x27e9 },
    { "floorleft", 0x230a },
    { "floorright", 0x230b },
    { "ceilingleft", 0x2308 },
    { "ceilingright", 0x2309 },
    { "slash", '/' },
    { "backslash", '\\' },
    { "radical", 0x221a },
    { "hatwide", 0x2c6 },
    { "tildewide", 0x2dc },
    { "vextendsingle", '|' },
    { "vextenddouble", 0x2016 },
    { "bardbl", 0x2016 },
    { "lessmuch", 0x226a },
    { "greatermuch", 0x226b },
    { "precedesequal", 0x2aaf },
    { "followsequal", 0x2ab0 },
    { "triangleinv", 0x25bd },
    { "mapsto", 0x21a6 },
    { "epsilon1", 0x3f5 },
    { "lscript", 0x2113 },
    { "unionsqdisplay", 0x2a06 },
    { "visiblespace", 0x2423 },
    { "ff", 0xfb00 },
    { "ffi", 0xfb03 },
    { "ffl", 0xfb04 },
    { "dotlessj", 0x237 },
    { "square", 0x25a1 },
    { "squaresolid", 0x25a0 },
    { "trianglesolid", 0x25b2 },
    { "lozenge", 0x25ca },
    { "lozengesolid", 0x29eb },
    { "check", 0x2713 },
    { "arrowdblright", 0x21d2 },
    { "arrowdblleft", 0x21d0 },
    { "arrowdblboth", 0x21d4 },
    { "negationslash", 0x338 },
};

static bool is_unknown(int code)
{
    return code == FZ_REPLACEMENT_CHARACTER || (code >= 0 && code < ' ' && code != '\t');
}

/* The character of a name of four to six hexadecimal digits after "uni" or "u"; 0: it is not
 * one. */
static int by_number(const char *name)
{
    size_t skip = strncmp(name, "uni", 3) == 0 ? 3 : name[0] == 'u' ? 1 : 0;
    char *end;
    long code;

    if (skip == 0 || strspn(name + skip, "0123456789ABCDEF") < 4)
        return 0;
    code = strtol(name + skip, &end, 16);
    return (end - name == (ptrdiff_t) skip + 4 || (skip == 1 && end - name <= 7)) && *end == '\0' &&
                   code < 0x110000
               ? (int) code
               : 0;
}

/* Removes the part of the name that says how large its glyph is. */
static void cut_size(char *name)
{
    static const char *const sizes[] = { "display", "text", "bigg", "Bigg", "big", "Big" };

    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t n = strlen(name), tail = strlen(sizes[i]);

        if (n > tail && strcmp(name + n - tail, sizes[i]) == 0) {
            name[n - tail] = '\0';
            return;
        }
    }
}

/* Finds the character by the glyph's name; 0: the name is unknown. */
static int by_name(fz_context *ctx, fz_font *font, int glyph)
{
    char name[64] = "";
    int code;

    fz_get_glyph_name(ctx, font, glyph, name, sizeof name);
    name[strcspn(name, ".")] = '\0'; /* "a.alt" is a variant of "a" */
    if (*name == '\0')
        return 0;
    code = by_number(name);
    if (code == 0)
        code = fz_unicode_from_glyph_name_strict(name);
    if (code > 0 && !is_unknown(code))
        return code;
    cut_size(name);
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i].name) == 0)
            return names[i].code;
    return 0;
}

static bool is_dingbats(const char *name)
{
    return symbol_fonts_find(name) == SYMBOL_FONT_DINGBATS;
}

/* Whether the program's table maps characters. Codes of other tables are private to the program,
 * except for ZapfDingbats, which always has the same. */
static bool has_characters(fz_context *ctx, fz_font *font)
{
    const FT_FaceRec *face = fz_font_ft_face(ctx, font);

    return face && face->charmap &&
           (face->charmap->encoding == FT_ENCODING_UNICODE || is_dingbats(fz_font_name(ctx, font)));
}

static struct text_reading_font *font_of(struct text_reading *reading, fz_context *ctx,
                                         fz_font *font)
{
    struct text_reading_font *entry;

    for (size_t i = 0; i < reading->n; i++)
        if (reading->fonts[i].font == font)
            return &reading->fonts[i];
    if (reading->n == MAX_FONTS || !LIST_ROOM(reading->fonts, reading->n, reading->cap))
        return NULL;
    entry = &reading->fonts[reading->n];
    *entry = (struct text_reading_font){ .codes = calloc(MAX_GLYPHS, sizeof *entry->codes) };
    if (!entry->codes)
        return NULL;
    entry->font = fz_keep_font(ctx, font);
    reading->n++;
    for (int code = has_characters(ctx, font) ? 0xfffc : 0; code >= ' '; code--) {
        int glyph = code >= 0xe000 && code < 0xf900 ? 0 : fz_encode_character(ctx, font, code);

        if (glyph > 0 && glyph < MAX_GLYPHS)
            entry->codes[glyph] = (uint16_t) code;
    }
    return entry;
}

/* A glyph that draws nothing and has a width is a space. */
static bool is_blank(fz_context *ctx, fz_font *font, int glyph)
{
    fz_rect ink = fz_bound_glyph(ctx, font, glyph, fz_identity);

    return (ink.x1 - ink.x0 < BLANK || ink.y1 - ink.y0 < BLANK) &&
           fz_advance_glyph(ctx, font, glyph, 0) > 0;
}

static int meaning(struct text_reading *reading, fz_context *ctx, fz_font *font, int glyph)
{
    const struct text_reading_font *entry;
    int code;

    if (glyph < 0 || glyph >= MAX_GLYPHS || !fz_font_ft_face(ctx, font))
        return 0;
    code = by_name(ctx, font, glyph);
    if (code == 0 || symbol_fonts_is_private(code)) {
        entry = font_of(reading, ctx, font);
        code = entry ? entry->codes[glyph] : 0;
    }
    if (code == 0)
        code = glyph_identity_find(&reading->shapes, ctx, reading->page, font, glyph);
    return code == 0 && is_blank(ctx, font, glyph) ? ' ' : code;
}

/* The characters of ZapfDingbats, with which most form fields are ticked, have the same order in
 * Unicode, except for those that Unicode had before (Adobe, zapfdingbats.txt). */
static int dingbat(int code)
{
    static const struct {
        char from;
        uint16_t to;
    } others[] = { { 0x25, 0x260e }, { 0x2a, 0x261b }, { 0x2b, 0x261e }, { 0x48, 0x2605 },
                   { 0x6c, 0x25cf }, { 0x6e, 0x25a0 }, { 0x73, 0x25b2 }, { 0x74, 0x25bc },
                   { 0x75, 0x25c6 }, { 0x77, 0x25d7 } };

    if (code <= ' ' || code >= 0x7f)
        return code;
    for (size_t i = 0; i < COUNT(others); i++)
        if (others[i].from == code)
            return others[i].to;
    return 0x2701 + code - 0x21;
}

/* Fonts of signs that are typed as letters, and have their names: the euro of TeX. */
static int sign_of(const char *font, int code)
{
    static const struct {
        const char *font, *letters;
        int sign;
    } signs[] = { { "feym", "eEnw", 0x20ac }, /* eurosym */
                  { "feyb", "eEnw", 0x20ac },
                  { "MarVoSym", "cdefg", 0x20ac },
                  { "Martin_Vogels_Symbole", "cdefg", 0x20ac } };

    for (size_t i = 0; i < COUNT(signs); i++)
        if (code > ' ' && code < 0x7f && strchr(signs[i].letters, code) &&
            strstr(font, signs[i].font))
            return signs[i].sign;
    return code;
}

static void put_unread(struct page_content *content, const struct area *area)
{
    content->n_unreadable++;
    if (content->n_unread < MAX_UNREAD &&
        LIST_ROOM(content->unread, content->n_unread, content->cap_unread))
        content->unread[content->n_unread++] = *area;
}

/* Notes a glyph that is visible; code: its private character, or 0 if it stays unknown. */
static void note_unread(struct text_reading *reading, fz_context *ctx, const fz_text_span *span,
                        const fz_text_item *item, fz_matrix ctm, int code)
{
    fz_matrix place = span->trm;
    fz_rect rect;
    struct area area;

    place.e = item->x;
    place.f = item->y;
    rect = fz_bound_glyph(ctx, span->font, item->gid, fz_concat(place, ctm));
    if (fz_is_empty_rect(rect) || fz_is_infinite_rect(rect))
        return;
    area = (struct area){ rect.x0, rect.y0, rect.x1, rect.y1 };
    if (code == 0)
        put_unread(reading->content, &area);
    else if (reading->n_pending < MAX_PENDING &&
             LIST_ROOM(reading->pending, reading->n_pending, reading->cap_pending))
        reading->pending[reading->n_pending++] = (struct text_reading_pending){ area, code };
}

void text_reading_settle(struct text_reading *reading, fz_context *ctx)
{
    glyph_likeness_settle(&reading->likeness, reading->text);
    for (size_t i = 0; i < reading->n_pending; i++)
        if (glyph_likeness_code(&reading->likeness, reading->pending[i].code) ==
            FZ_REPLACEMENT_CHARACTER)
            put_unread(reading->content, &reading->pending[i].area);
    reading->n_pending = 0;
    glyph_likeness_end_page(&reading->likeness, ctx);
}

/* Whether the glyph, which ToUnicode calls a small letter, has the name of the capital. Some
 * writers map capital letters to small ones; the letter that is drawn counts. */
static bool is_capital(struct text_reading *reading, fz_context *ctx, fz_font *font, int glyph,
                       int letter)
{
    char name[8] = "";
    int i = letter - 'a';

    if (reading->drawn.font != font) {
        reading->drawn.font = font;
        for (int k = 0; k < 26; k++)
            reading->drawn.glyphs[k] = -1;
    }
    if (reading->drawn.glyphs[i] != glyph) {
        if (fz_font_ft_face(ctx, font))
            fz_get_glyph_name(ctx, font, glyph, name, sizeof name);
        reading->drawn.glyphs[i] = glyph;
        reading->drawn.capitals[i] = name[0] == letter - 'a' + 'A' && name[1] == '\0';
    }
    return reading->drawn.capitals[i];
}

static void complete_by_look(struct text_reading *reading, fz_context *ctx,
                             const fz_text_span *span, fz_text_item *item, fz_matrix ctm, bool seen)
{
    int code = item->gid > 0 && fz_font_ft_face(ctx, span->font)
                   ? glyph_likeness_note(&reading->likeness, ctx, span->font, item->gid)
                   : 0;

    if (code)
        item->ucs = code;
    if (seen && !reading->replaced)
        note_unread(reading, ctx, span, item, ctm, code);
}

/* macOS 10.7 to 10.9 declared the hyphen as three characters, a hyphen, a soft hyphen and U+2010:
 * leaves the first one. The others have no glyph. */
static void mend_hyphen(fz_text_item *items, int n)
{
    if (n > 2 && items[0].ucs == '-' && items[1].gid < 0 && items[1].ucs == 0xad &&
        items[2].gid < 0 && items[2].ucs == 0x2010)
        items[1].ucs = items[2].ucs = 0;
}

/* The character that the glyph shows, where the font has a meaning of its own for the one that the
 * file says. */
static int own_sign(fz_context *ctx, fz_font *font, enum symbol_font kind, const fz_text_item *item)
{
    char name[16] = "";
    int code = item->ucs, found;

    if (kind == SYMBOL_FONT_DINGBATS && code < 0x100 && item->gid > 0 &&
        fz_font_ft_face(ctx, font)) {
        fz_get_glyph_name(ctx, font, item->gid, name, sizeof name);
        found = symbol_fonts_dingbat(name);
        if (found)
            return found;
    }
    if (kind == SYMBOL_FONT_DINGBATS && !is_unknown(code))
        code = dingbat(code);
    if (kind >= SYMBOL_FONT_WINGDINGS || symbol_fonts_is_private(code))
        code = symbol_fonts_character(
            kind, code, item->gid >= 0 ? fz_advance_glyph(ctx, font, item->gid, 0) : 0);
    return sign_of(fz_font_name(ctx, font), code);
}

/* Assigns Unicode to a glyph without it. */
static void complete_item(struct text_reading *reading, fz_context *ctx, const fz_text_span *span,
                          enum symbol_font kind, fz_text_item *item, fz_matrix ctm, bool seen)
{
    bool private = symbol_fonts_is_private(item->ucs);
    int code;

    if (item->gid < 0) {
        if (private)
            item->ucs = 0;
        return;
    }
    code = meaning(reading, ctx, span->font, item->gid);
    if (code && kind == SYMBOL_FONT_DINGBATS)
        code = dingbat(code);
    else if (symbol_fonts_is_private(code))
        code = symbol_fonts_character(kind, code, 0);
    if (symbol_fonts_is_private(code))
        code = 0;
    /* In Arabic, the glyph before this one has the characters of all of a word's glyphs. */
    if (code && is_rtl((uint32_t) code) && !private) {
        item->ucs = 0;
    } else if (code) {
        item->ucs = code;
    } else {
        if (private)
            item->ucs = FZ_REPLACEMENT_CHARACTER;
        complete_by_look(reading, ctx, span, item, ctm, seen);
    }
}

/* Where an embedded font says that a glyph has no width, and the file that it has one, as programs
 * for text over scans write it, MuPDF moves on by the file's width (ISO 32000-1, 9.2.4) and
 * measures the glyph by the font's. Sets what it keeps of the font to the file's width. */
static void mend_advance(fz_context *ctx, const fz_text_span *span, int glyph)
{
    fz_font *font = span->font;
    short width;

    if (span->wmode != 0 || !font->width_table || glyph < 0 || glyph >= font->glyph_count ||
        !fz_font_ft_face(ctx, font))
        return;
    width = glyph < font->width_count ? font->width_table[glyph] : font->width_default;
    if (width <= 0 || fz_advance_glyph(ctx, font, glyph, 0) != 0 || !font->advance_cache ||
        !font->advance_cache[glyph >> 8])
        return;
    font->advance_cache[glyph >> 8][glyph & 255] = (float) width / 1000;
}

static bool is_rtl_item(const fz_text_item *item)
{
    return item->ucs > 0 && is_rtl((uint32_t) item->ucs);
}

/* Whether a glyph without a character is the stroke by which word processors make an Arabic word
 * longer, to fill a line: it is flat, between letters, and reaches from one to the next. */
static bool is_kashida(fz_context *ctx, const fz_text_span *span, int i)
{
    const fz_text_item *item = &span->items[i];
    fz_rect ink;

    if (!is_unknown(item->ucs) || item->gid <= 0 || i == 0 || i + 1 == span->len ||
        !fz_font_ft_face(ctx, span->font) || !is_rtl_item(item - 1) ||
        !(item[1].gid == item->gid || is_rtl_item(item + 1)))
        return false;
    ink = fz_bound_glyph(ctx, span->font, item->gid, fz_identity);
    return ink.y1 - ink.y0 < FLAT &&
           ink.x1 - ink.x0 > KASHIDA * fz_advance_glyph(ctx, span->font, item->gid, 0);
}

/* Assigns Unicode to glyphs without it, in the text that is about to be read. */
static void complete(struct text_reading *reading, fz_context *ctx, const fz_text *text,
                     fz_matrix ctm, bool seen)
{
    for (fz_text_span *span = text->head; span; span = span->next) {
        enum symbol_font kind = symbol_fonts_find(fz_font_name(ctx, span->font));

        for (int i = 0; i < span->len; i++) {
            fz_text_item *item = &span->items[i];

            mend_hyphen(item, span->len - i);
            mend_advance(ctx, span, item->gid);
            if (is_kashida(ctx, span, i))
                item->ucs = UNICODE_KASHIDA;
            if (item->ucs >= 'a' && item->ucs <= 'z' && item->gid > 0 &&
                kind != SYMBOL_FONT_DINGBATS &&
                is_capital(reading, ctx, span->font, item->gid, item->ucs))
                item->ucs += 'A' - 'a';
            item->ucs = own_sign(ctx, span->font, kind, item);
            if (is_unknown(item->ucs) || symbol_fonts_is_private(item->ucs))
                complete_item(reading, ctx, span, kind, item, ctm, seen);
        }
    }
}

/* Where the text ends so far. */
static struct text_reading_position now(const struct text_reading *reading)
{
    const fz_stext_block *block = reading->text->last_block;
    fz_stext_line *line = block && block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.last_line : NULL;

    return (struct text_reading_position){ block, line, line ? line->last_char : NULL };
}

static int paler(int color, float alpha)
{
    int result = 0;

    for (int shift = 16; shift >= 0; shift -= 8) {
        float part = (float) (color >> shift & 0xff);

        result = result << 8 | (int) lrintf(255 - alpha * (255 - part));
    }
    return result | (color & BOLD);
}

/* Marks all characters after a position as bold, or as pale as they look on white. */
static void mark_characters(const struct text_reading *reading,
                            const struct text_reading_position *from, bool bold, float alpha)
{
    const fz_stext_block *block = from->block ? from->block : reading->text->first_block;
    fz_stext_line *line = from->line;
    fz_stext_char *c = from->last ? from->last->next : NULL;

    if (!line && block && block->type == FZ_STEXT_BLOCK_TEXT)
        line = block->u.t.first_line;
    if (!c && !from->last && line)
        c = line->first_char;
    while (block) {
        for (; c; c = c->next)
            c->color = bold ? c->color | BOLD : paler(c->color, alpha);
        line = line ? line->next : NULL;
        while (!line && (block = block->next))
            line = block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.first_line : NULL;
        c = line ? line->first_char : NULL;
    }
}

static void fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    struct text_reading *reading = hook_device_arg(device);

    complete(reading, ctx, text, ctm, true);
    reading->before_fill = now(reading);
    fz_drop_text(ctx, reading->filled);
    reading->filled = fz_keep_text(ctx, text);
    fz_fill_text(ctx, hook_device_next(device), text, ctm, space, color, alpha, params);
    if (alpha < 1)
        mark_characters(reading, &reading->before_fill, false, alpha);
}

/* NOLINTNEXTLINE(readability-function-size): the device's functions have that many parameters. */
static void stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    struct text_reading *reading = hook_device_arg(device);
    bool again = text == reading->filled && text->head;
    struct text_reading_position before;

    complete(reading, ctx, text, ctm, !again);
    before = now(reading);
    fz_stroke_text(ctx, hook_device_next(device), text, stroke, ctm, space, color, alpha, params);
    /* The device ignores a text that it received before. */
    if (again && stroke->linewidth > STROKE * fz_matrix_expansion(text->head->trm))
        mark_characters(reading, &reading->before_fill, true, 1);
    else if (!again && alpha < 1)
        mark_characters(reading, &before, false, alpha);
}

static void ignore_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    complete(hook_device_arg(device), ctx, text, ctm, false);
    fz_ignore_text(ctx, hook_device_next(device), text, ctm);
}

void text_reading_push(fz_context *ctx, fz_device **device, struct text_reading *reading,
                       pdf_page *page, fz_stext_page *text, struct page_content *content)
{
    fz_device *super = &hook_device_push(ctx, device, reading)->super;

    super->fill_text = fill_text;
    super->stroke_text = stroke_text;
    super->ignore_text = ignore_text;
    reading->page = page;
    reading->text = text;
    reading->content = content;
    reading->drawn.font = NULL;
    reading->n_pending = 0;
}

void text_reading_end(struct text_reading *reading, fz_context *ctx)
{
    fz_drop_text(ctx, reading->filled);
    reading->filled = NULL;
    glyph_identity_free(&reading->shapes);
}

void text_reading_free(struct text_reading *reading, fz_context *ctx)
{
    for (size_t i = 0; i < reading->n; i++) {
        fz_drop_font(ctx, reading->fonts[i].font);
        free(reading->fonts[i].codes);
    }
    free(reading->fonts);
    free(reading->pending);
    glyph_likeness_free(&reading->likeness, ctx);
    *reading = (struct text_reading){ 0 };
}
