#include "write/docx/equation.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"

#define XML_M "xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\""

struct equation {
    struct buf *xml;
    const struct page_font *fonts;
};

static void put_formula_row(const struct equation *e, const char *element,
                            const struct formula *row);

/* What letters and signs look like: equations have a font of their own, which is bold or in italics
 * by itself (`font`: NULL) but in plain text. */
static void put_look(const struct equation *e, const struct page_font *font, uint32_t color,
                     float size)
{
    int half = (int) lrintf(fmaxf(size, 1) * 2);

    buf_puts(e->xml, "<w:rPr><w:rFonts w:ascii=\"Cambria Math\" w:hAnsi=\"Cambria Math\"/>");
    if (font && font->bold)
        buf_puts(e->xml, "<w:b/>");
    if (font && font->italic)
        buf_puts(e->xml, "<w:i/>");
    if (color)
        buf_printf(e->xml, "<w:color w:val=\"%06X\"/>", color);
    buf_printf(e->xml, "<w:sz w:val=\"%d\"/><w:szCs w:val=\"%d\"/></w:rPr>", half, half);
}

static void put_control(const struct equation *e, const struct formula *formula)
{
    buf_puts(e->xml, "<m:ctrlPr>");
    put_look(e, NULL, formula->color, formula->size);
    buf_puts(e->xml, "</m:ctrlPr>");
}

static bool is_latin(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * How far text goes that is all of one kind: several letters are words, and with brackets plain
 * text, which no program reads as a part of an equation's structure (LibreOffice does "in", "&"
 * and "(", else).
 */
static size_t piece_of(const char *text, size_t n, bool *plain)
{
    size_t i = 0, letters;

    *plain = false;
    while (i < n) {
        for (letters = 0; i + letters < n && is_latin(text[i + letters]);)
            letters++;
        if (letters > 1 || (text[i] && strchr("()[]{}|\"&%#^_~`\\@$", text[i]))) {
            *plain = i == 0;
            return i > 0 ? i : letters > 1 ? letters : 1;
        }
        i++;
    }
    return n;
}

/* Letters are in italics unless it is said that they are not. */
static void put_formula_text(const struct equation *e, const struct formula *formula)
{
    const struct page_font *font = &e->fonts[formula->font];

    for (size_t at = 0, n; at < formula->len; at += n) {
        bool plain;

        n = piece_of(formula->text + at, formula->len - at, &plain);
        buf_puts(e->xml, "<m:r>");
        if (plain)
            buf_puts(e->xml, "<m:rPr><m:nor/></m:rPr>");
        else if (font->bold || !font->italic)
            buf_printf(e->xml, "<m:rPr><m:sty m:val=\"%s\"/></m:rPr>",
                       !font->bold    ? "p"
                       : font->italic ? "bi"
                                      : "b");
        put_look(e, plain ? font : NULL, formula->color, formula->size);
        buf_puts(e->xml, "<m:t xml:space=\"preserve\">");
        xml_text(e->xml, formula->text + at, n);
        buf_puts(e->xml, "</m:t></m:r>");
    }
}

static void put_fraction(const struct equation *e, const struct formula *formula)
{
    const struct formula *parts[] = { formula->above, formula->below };
    static const char *const names[] = { "num", "den" };

    buf_puts(e->xml, "<m:f><m:fPr>");
    put_control(e, formula);
    buf_puts(e->xml, "</m:fPr>");
    for (int i = 0; i < 2; i++) {
        buf_printf(e->xml, "<m:%s>", names[i]);
        /* In a line of text Word makes both smaller. */
        if (formula->full)
            buf_puts(e->xml, "<m:argPr><m:argSz m:val=\"1\"/></m:argPr>");
        put_formula_row(e, NULL, parts[i]);
        buf_printf(e->xml, "</m:%s>", names[i]);
    }
    buf_puts(e->xml, "</m:f>");
}

static void put_root(const struct equation *e, const struct formula *formula)
{
    buf_puts(e->xml, "<m:rad><m:radPr><m:degHide m:val=\"1\"/>");
    put_control(e, formula);
    buf_puts(e->xml, "</m:radPr><m:deg/>");
    put_formula_row(e, "e", formula->base);
    buf_puts(e->xml, "</m:rad>");
}

static void put_scripts(const struct equation *e, const struct formula *formula)
{
    const char *name = formula->below && formula->above ? "sSubSup"
                       : formula->below                 ? "sSub"
                                                        : "sSup";

    buf_printf(e->xml, "<m:%s><m:%sPr>", name, name);
    put_control(e, formula);
    buf_printf(e->xml, "</m:%sPr>", name);
    put_formula_row(e, "e", formula->base);
    if (formula->below)
        put_formula_row(e, "sub", formula->below);
    if (formula->above)
        put_formula_row(e, "sup", formula->above);
    buf_printf(e->xml, "</m:%s>", name);
}

/* What is above goes around what is below. */
static void put_limits(const struct equation *e, const struct formula *formula)
{
    if (formula->above)
        buf_puts(e->xml, "<m:limUpp><m:e>");
    if (formula->below)
        buf_puts(e->xml, "<m:limLow>");
    put_formula_row(e, formula->below ? "e" : NULL, formula->base);
    if (formula->below) {
        put_formula_row(e, "lim", formula->below);
        buf_puts(e->xml, "</m:limLow>");
    }
    if (formula->above) {
        buf_puts(e->xml, "</m:e>");
        put_formula_row(e, "lim", formula->above);
        buf_puts(e->xml, "</m:limUpp>");
    }
}

/* LibreOffice reads these signs of sums and integrals, and draws a wrong one for all others, as
 * those of unions. They are written as a sign with limits, which all programs draw. */
static bool is_read_as_sum(const struct formula *sign)
{
    static const char *const signs[] = { "∑", "∏", "∐", "∫", "∬", "∭", "∮", "∯", "∰" };

    for (size_t i = 0; i < COUNT(signs); i++)
        if (sign->len == strlen(signs[i]) && memcmp(sign->text, signs[i], sign->len) == 0)
            return true;
    return false;
}

/* What it is of stays outside, as text; Word draws a box where there is nothing at all. */
static void put_sum(const struct equation *e, const struct formula *formula)
{
    if (!is_read_as_sum(formula->base)) {
        (formula->at_right && (formula->below || formula->above) ? put_scripts
                                                                 : put_limits)(e, formula);
        return;
    }
    buf_puts(e->xml, "<m:nary><m:naryPr><m:chr m:val=\"");
    xml_text(e->xml, formula->base->text, formula->base->len);
    buf_printf(e->xml,
               "\"/><m:limLoc m:val=\"%s\"/><m:subHide m:val=\"%d\"/><m:supHide m:val=\"%d\"/>",
               formula->at_right ? "subSup" : "undOvr", !formula->below, !formula->above);
    put_control(e, formula);
    buf_puts(e->xml, "</m:naryPr>");
    put_formula_row(e, "sub", formula->below);
    put_formula_row(e, "sup", formula->above);
    buf_puts(e->xml, "<m:e><m:r><m:rPr><m:nor/></m:rPr><m:t xml:space=\"preserve\"> </m:t></m:r>"
                     "</m:e></m:nary>");
}

static void put_formula_row(const struct equation *e, const char *element,
                            const struct formula *row)
{
    static void (*const put[])(const struct equation *, const struct formula *) = {
        [FORMULA_TEXT] = put_formula_text, [FORMULA_FRACTION] = put_fraction,
        [FORMULA_ROOT] = put_root,         [FORMULA_SCRIPTS] = put_scripts,
        [FORMULA_LIMITS] = put_limits,     [FORMULA_SUM] = put_sum,
    };

    if (element)
        buf_printf(e->xml, "<m:%s>", element);
    for (; row; row = row->next)
        put[row->kind](e, row);
    if (element)
        buf_printf(e->xml, "</m:%s>", element);
}

void equation_put(struct buf *xml, const struct page_font *fonts, const struct formula *formula)
{
    const struct equation e = { xml, fonts };

    buf_puts(xml, "<m:oMath " XML_M ">");
    put_formula_row(&e, NULL, formula);
    buf_puts(xml, "</m:oMath>");
}
