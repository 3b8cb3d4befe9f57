#include "stamp/draw/layout.h"

#include <pango/pangocairo.h>

#include "base/scope.h"
#include "stamp/draw/surface.h"

/* A family with matching designs for all scripts, and what replaces it where it is not
 * installed. */
#define OUR_FONT "Noto Sans,sans-serif"

struct layout {
    struct drawing *drawing;
    PangoLayout *pango;
};

static PangoFontDescription *describe(const struct layout_style *style)
{
    PangoFontDescription *font = pango_font_description_from_string(style->font ? style->font : "");
    double size = style->size < LAYOUT_FONT_MAX ? style->size : LAYOUT_FONT_MAX;

    if (!pango_font_description_get_family(font)) {
        pango_font_description_set_family_static(font, OUR_FONT);
        if (style->bold)
            pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    }
    pango_font_description_set_absolute_size(font, (size > 0.1 ? size : 0.1) * PANGO_SCALE);
    return font;
}

/* Chinese, Japanese and Korean write the same characters differently: other characters of the
 * text show which is meant. NULL: it does not matter. */
static PangoLanguage *guess_language(const char *text)
{
    const char *tag = NULL;

    for (const char *p = text; *p; p = g_utf8_find_next_char(p, NULL)) {
        GUnicodeScript script = g_unichar_get_script(g_utf8_get_char(p));

        if (script == G_UNICODE_SCRIPT_HIRAGANA || script == G_UNICODE_SCRIPT_KATAKANA)
            return pango_language_from_string("ja");
        if (script == G_UNICODE_SCRIPT_HANGUL)
            return pango_language_from_string("ko");
        if (script == G_UNICODE_SCRIPT_HAN)
            tag = "zh-cn";
        else if (script == G_UNICODE_SCRIPT_BOPOMOFO)
            return pango_language_from_string("zh-tw");
    }
    return tag ? pango_language_from_string(tag) : NULL;
}

/* Finds the first character without a glyph, or 0. */
static gunichar find_unknown(PangoLayout *pango)
{
    PangoLayoutIter *iter = pango_layout_get_iter(pango);
    gunichar unknown = 0;

    do {
        PangoLayoutRun *run = pango_layout_iter_get_run_readonly(iter);

        for (int i = 0; run && !unknown && i < run->glyphs->num_glyphs; i++) {
            PangoGlyph glyph = run->glyphs->glyphs[i].glyph;

            if (glyph != PANGO_GLYPH_EMPTY && glyph & PANGO_GLYPH_UNKNOWN_FLAG)
                unknown = glyph & ~PANGO_GLYPH_UNKNOWN_FLAG;
        }
    } while (!unknown && pango_layout_iter_next_run(iter));
    pango_layout_iter_free(iter);
    return unknown;
}

struct layout *layout_new(struct drawing *drawing, const char *text,
                          const struct layout_style *style, struct err *err)
{
    static const PangoAlignment aligns[] = { PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER,
                                             PANGO_ALIGN_RIGHT };
    AUTO_LAYOUT struct layout *layout = calloc(1, sizeof *layout);
    PangoFontDescription *font = describe(style);
    PangoLanguage *language = guess_language(text);
    gunichar unknown;

    if (!layout) {
        pango_font_description_free(font);
        err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to draw");
        return NULL;
    }
    if (language)
        pango_context_set_language(drawing->context, language);
    layout->drawing = drawing;
    layout->pango = pango_layout_new(drawing->context);
    pango_layout_set_font_description(layout->pango, font);
    pango_font_description_free(font);
    pango_layout_set_alignment(layout->pango, aligns[style->align]);
    pango_layout_set_wrap(layout->pango, PANGO_WRAP_WORD_CHAR);
    if (style->width > 0)
        pango_layout_set_width(layout->pango, (int) (style->width * PANGO_SCALE));
    pango_layout_set_text(layout->pango, text, -1);
    unknown = find_unknown(layout->pango);
    if (unknown) {
        err_set(err, ERR_TEXT_NOT_ENCODABLE,
                "no installed font has a glyph for the character U+%04X", unknown);
        return NULL;
    }
    return scope_take_ptr(&layout);
}

void layout_free(struct layout **layout)
{
    if (*layout && (*layout)->pango)
        g_object_unref((*layout)->pango);
    free(*layout);
    *layout = NULL;
}

static double points(int units)
{
    return units / (double) PANGO_SCALE;
}

void layout_measure(const struct layout *layout, struct layout_size *size)
{
    PangoRectangle ink, lines;

    pango_layout_get_extents(layout->pango, &ink, &lines);
    *size = (struct layout_size){
        .width = points(lines.width),
        .height = points(lines.height),
        .ink = { points(ink.x - lines.x), points(ink.y - lines.y), points(ink.width),
                 points(ink.height) },
        .baseline = points(pango_layout_get_baseline(layout->pango) - lines.y),
        .n_lines = pango_layout_get_line_count(layout->pango),
    };
}

void layout_draw(const struct layout *layout, double x, double y, uint32_t color)
{
    struct drawing *drawing = layout->drawing;
    PangoRectangle lines;

    pango_layout_get_extents(layout->pango, NULL, &lines);
    drawing_set_color(drawing, color);
    cairo_move_to(drawing->cairo, x - points(lines.x), y - points(lines.y));
    pango_cairo_show_layout(drawing->cairo, layout->pango);
}
