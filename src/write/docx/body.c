#include "write/docx/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "write/docx/runs.h"

/* Sizes: of lines that are further apart, readers put the white above where they may grow, and on
 * both sides where they may not. They cut nothing. */
#define FAR_APART  1.35F
#define LINE_SLACK 0.03F /* points: less than a reader rounds by */

static void put_tabs(struct buf *xml, const struct paragraph *p)
{
    static const char *const names[] = { "left", "center", "right", "left" };

    if (p->n_tabs == 0)
        return;
    buf_puts(xml, "<w:tabs>");
    for (size_t i = 0; i < p->n_tabs; i++)
        buf_printf(xml, "<w:tab w:val=\"%s\"%s w:pos=\"%d\"/>", names[p->tabs[i].align],
                   p->tabs[i].dots ? " w:leader=\"dot\"" : "", units_twips(p->tabs[i].x));
    buf_puts(xml, "</w:tabs>");
}

/* Paragraphs of no text are what sections and pages begin and end with: they are in no frame. */
static bool in_frame(const struct body *body, const struct paragraph *p)
{
    return body->exact && !body->inside && p->n_runs > 0;
}

static void put_frame(struct body *body, const struct paragraph *p)
{
    /* Wider than the text, so that lines end where they did with other fonts too. */
    float room = area_width(&p->area) +
                 (p->n_lines > 1 ? 0.5F * p->line : 0.2F * area_width(&p->area) + p->line);

    buf_printf(&body->xml,
               "<w:framePr w:w=\"%d\" w:hSpace=\"0\" w:wrap=\"around\" w:vAnchor=\"page\" "
               "w:hAnchor=\"page\" w:x=\"%d\" w:y=\"%d\"/>",
               units_twips(room), units_twips(fmaxf(p->area.x0, 0.05F)),
               units_twips(fmaxf(p->area.y0, 0.05F)));
}

static void put_box(struct buf *xml, const struct boxed *box)
{
    static const char *const sides[] = { "top", "left", "bottom", "right" };
    const float spaces[] = { box->above, box->side, box->below, box->side };
    int width = (int) lrintf(box->border.width * 8);

    if (box->border.width <= 0)
        return;
    buf_puts(xml, "<w:pBdr>");
    for (int i = box->under ? 2 : 0; i < (box->under ? 3 : 4); i++)
        buf_printf(xml, "<w:%s w:val=\"single\" w:sz=\"%d\" w:space=\"%d\" w:color=\"%06X\"/>",
                   sides[i], width < 2 ? 2 : width, (int) lrintf(spaces[i]), box->border.color);
    buf_puts(xml, "</w:pBdr>");
}

/* Heights of a line of a font, in sizes, as its tables say. */
static float leading_of(const char *family)
{
    static const struct {
        const char *family;
        float leading;
    } known[] = { { "Times New Roman", 1.15F },
                  { "Arial", 1.15F },
                  { "Courier New", 1.133F },
                  { "Calibri", 1.221F },
                  { "Cambria", 1.173F } };

    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(family, known[i].family) == 0)
            return known[i].leading;
    return INFINITY;
}

/* Whether a font has it that is named: others, which stand in for it, are higher. */
static bool is_common(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char) text[i];

        /* Up to U+052F, and U+2000 to U+20FF. */
        if (c > 0xd4 && !(c == 0xe2 && i + 1 < n && (unsigned char) text[i + 1] < 0x84))
            return false;
    }
    return true;
}

/* Whether lines of that height are what its text takes anyway, or more: then they may grow with
 * what somebody writes. Lines that are nearer to each other have to be as near as they were. */
static bool is_roomy(const struct body *body, const struct paragraph *p)
{
    if (body->exact || p->n_runs == 0)
        return false;
    for (size_t i = 0; i < p->n_runs; i++) {
        const struct run *run = &p->runs[i];
        const char *family = body->fonts[run->style.font].family;
        float size = roundf(run->style.size * 2) / 2;

        if (run->style.formula || !is_common(run->text, run->len) ||
            leading_of(family) * size > p->line + LINE_SLACK || p->line > FAR_APART * size)
            return false;
    }
    return true;
}

/* CT_PPr: the order is the schema's. */
static void put_properties(struct body *body, const struct paragraph *p, float after)
{
    struct buf *xml = &body->xml;
    static const char *const aligns[] = { NULL, "center", "right", "both" };
    int line = units_twips(p->line);
    bool frame = in_frame(body, p);
    float left = p->left, right = p->right, before = p->before;

    if (frame) {
        /* The frame has the indents. */
        left = p->first < 0 ? -p->first : 0;
        right = before = after = 0;
    }

    buf_puts(xml, "<w:pPr>");
    if (p->heading)
        buf_printf(xml, "<w:pStyle w:val=\"Heading%d\"/>", p->heading);
    else if (p->list)
        buf_puts(xml, "<w:pStyle w:val=\"ListParagraph\"/>");
    else if (body->style)
        buf_printf(xml, "<w:pStyle w:val=\"%s\"/>", body->style);
    if (body->break_before)
        buf_puts(xml, "<w:pageBreakBefore/>");
    body->break_before = false;
    if (in_frame(body, p))
        put_frame(body, p);
    if (p->list)
        buf_printf(xml, "<w:numPr><w:ilvl w:val=\"%d\"/><w:numId w:val=\"%d\"/></w:numPr>",
                   p->level, p->list);
    put_box(xml, &p->boxed);
    if (p->shade != STYLE_PLAIN)
        buf_printf(xml, "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"%06X\"/>", p->shade);
    put_tabs(xml, p);
    if (p->rtl)
        buf_puts(xml, "<w:bidi/>");
    buf_printf(xml, "<w:spacing w:before=\"%d\" w:after=\"%d\" w:line=\"%d\" w:lineRule=\"%s\"/>",
               units_twips(before), units_twips(after), line > 1 ? line : 1,
               p->tall || is_roomy(body, p) ? "atLeast" : "exact");
    if (left != 0 || right != 0 || p->first != 0 || p->list)
        buf_printf(xml, "<w:ind w:left=\"%d\" w:right=\"%d\" w:%s=\"%d\"/>", units_twips(left),
                   units_twips(right), p->first < 0 ? "hanging" : "firstLine",
                   units_twips(fabsf(p->first)));
    if (aligns[p->align])
        buf_printf(xml, "<w:jc w:val=\"%s\"/>", aligns[p->align]);
    /* A section does not end in a frame. */
    body->section_at = frame ? 0 : xml->len;
    buf_puts(xml, "</w:pPr>");
}

void body_paragraph(struct body *body, const struct paragraph *p, float after)
{
    buf_puts(&body->xml, "<w:p>");
    put_properties(body, p, after);
    body_waiting(body);
    body->heading = p->heading ? &body->headings[p->heading - 1] : NULL;
    if (p->heading && p->n_runs && body->heading->size <= 0)
        body->headings[p->heading - 1] = p->runs[0].style;
    runs_put(body, p);
    body->heading = NULL;
    buf_puts(&body->xml, "</w:p>");
}

bool body_go_on(struct body *body, const struct paragraph *p)
{
    static const char end[] = "</w:p>";
    size_t n = sizeof end - 1;
    struct buf *xml = &body->xml;

    if (body->section_at == 0 || xml->len < n || memcmp(xml->data + xml->len - n, end, n) != 0)
        return false;
    xml->len -= n;
    body_waiting(body);
    runs_put(body, p);
    buf_puts(xml, end);
    return true;
}

void body_spacer(struct body *body, float height)
{
    struct paragraph p = { .line = height > 1 ? height : 1, .shade = STYLE_PLAIN };

    body_paragraph(body, &p, 0);
}
