#include "docx/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void body_free(struct body *body)
{
    buf_free(&body->xml);
    buf_free(&body->rels);
    buf_free(&body->floats);
}

unsigned body_relate(struct body *body, const char *type, const char *target, bool outside)
{
    unsigned id = ++body->n_rels;

    buf_printf(&body->rels,
               "<Relationship Id=\"rId%u\" "
               "Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s\" "
               "Target=\"",
               id, type);
    xml_text(&body->rels, target, strlen(target));
    buf_printf(&body->rels, "\"%s/>", outside ? " TargetMode=\"External\"" : "");
    return id;
}

static void put_tabs(struct buf *xml, const struct paragraph *p)
{
    static const char *const names[] = { "left", "center", "right", "left" };

    if (p->n_tabs == 0)
        return;
    buf_puts(xml, "<w:tabs>");
    for (size_t i = 0; i < p->n_tabs; i++)
        buf_printf(xml, "<w:tab w:val=\"%s\"%s w:pos=\"%d\"/>", names[p->tabs[i].align],
                   p->tabs[i].dots ? " w:leader=\"dot\"" : "", xml_twips(p->tabs[i].x));
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
               xml_twips(room), xml_twips(fmaxf(p->area.x0, 0.05F)),
               xml_twips(fmaxf(p->area.y0, 0.05F)));
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

/* CT_PPr: the order is the schema's. */
static void put_properties(struct body *body, const struct paragraph *p, float after)
{
    struct buf *xml = &body->xml;
    static const char *const aligns[] = { NULL, "center", "right", "both" };
    int line = xml_twips(p->line);
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
    buf_printf(xml,
               "<w:spacing w:before=\"%d\" w:after=\"%d\" w:line=\"%d\" w:lineRule=\"exact\"/>",
               xml_twips(before), xml_twips(after), line > 1 ? line : 1);
    if (left != 0 || right != 0 || p->first != 0 || p->list)
        buf_printf(xml, "<w:ind w:left=\"%d\" w:right=\"%d\" w:%s=\"%d\"/>", xml_twips(left),
                   xml_twips(right), p->first < 0 ? "hanging" : "firstLine",
                   xml_twips(fabsf(p->first)));
    if (aligns[p->align])
        buf_printf(xml, "<w:jc w:val=\"%s\"/>", aligns[p->align]);
    /* A section does not end in a frame. */
    body->section_at = frame ? 0 : xml->len;
    buf_puts(xml, "</w:pPr>");
}

static void put_toggle(struct buf *xml, char name, bool on, bool inherited)
{
    if (on || inherited)
        buf_printf(xml, on ? "<w:%c/><w:%cCs/>" : "<w:%c w:val=\"0\"/><w:%cCs w:val=\"0\"/>", name,
                   name);
}

/* CT_RPr. */
static void put_style(struct body *body, const struct style *style)
{
    const struct sheet_font *font = &body->fonts[style->font];
    struct buf *xml = &body->xml;
    /* What a heading's style says has to be said of text that is otherwise. */
    const struct sheet_font *look = body->heading ? &body->fonts[body->heading->font] : NULL;
    int half = (int) lrintf(fmaxf(style->size, 1) * 2);
    int spacing = xml_twips(style->spacing);

    buf_puts(xml, "<w:rPr>");
    if (body->heading || strcmp(font->family, body->family) != 0) {
        static const char *const slots[] = { "ascii", "hAnsi", "eastAsia", "cs" };

        buf_puts(xml, "<w:rFonts");
        for (int i = 0; i < 4; i++) {
            buf_printf(xml, " w:%s=\"", slots[i]);
            xml_text(xml, font->family, strlen(font->family));
            buf_puts(xml, "\"");
        }
        buf_puts(xml, "/>");
    }
    put_toggle(xml, 'b', font->bold, look && look->bold);
    put_toggle(xml, 'i', font->italic, look && look->italic);
    if (style->strike)
        buf_puts(xml, "<w:strike/>");
    if (font->hollow)
        buf_puts(xml, "<w:outline/>");
    if (style->color || (body->heading && body->heading->color))
        buf_printf(xml, "<w:color w:val=\"%06X\"/>", style->color);
    if (spacing)
        buf_printf(xml, "<w:spacing w:val=\"%d\"/>", spacing);
    if (body->heading || half != (int) lrintf(body->size * 2))
        buf_printf(xml, "<w:sz w:val=\"%d\"/><w:szCs w:val=\"%d\"/>", half, half);
    if (style->underline)
        buf_puts(xml, "<w:u w:val=\"single\"/>");
    if (style->highlight != STYLE_PLAIN)
        buf_printf(xml, "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"%06X\"/>",
                   style->highlight);
    if (style->script)
        buf_printf(xml, "<w:vertAlign w:val=\"%s\"/>",
                   style->script == SCRIPT_SUPER ? "superscript" : "subscript");
    if (style->rtl)
        buf_puts(xml, "<w:rtl/>");
    buf_puts(xml, "</w:rPr>");
}

/* How far text goes before a tab or a soft hyphen (U+00AD). */
static size_t plain_length(const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && text[i] != '\t' && (i + 1 == n || memcmp(text + i, "\xc2\xad", 2) != 0))
        i++;
    return i;
}

static void put_text(struct body *body, const struct style *style, const char *text, size_t n)
{
    struct buf *xml = &body->xml;

    if (n == 0)
        return;
    buf_puts(xml, "<w:r>");
    put_style(body, style);
    while (n) {
        size_t plain = plain_length(text, n);

        if (plain) {
            buf_puts(xml, "<w:t xml:space=\"preserve\">");
            xml_text(xml, text, plain);
            buf_puts(xml, "</w:t>");
        }
        text += plain;
        n -= plain;
        if (n && *text == '\t') {
            buf_puts(xml, "<w:tab/>");
            text++;
            n--;
        } else if (n) {
            buf_puts(xml, "<w:softHyphen/>");
            text += 2;
            n -= 2;
        }
    }
    buf_puts(xml, "</w:r>");
}

static void put_page_field(struct body *body, const struct style *style, const char *digits,
                           size_t n)
{
    struct buf *xml = &body->xml;
    const char *const before[] = {
        "<w:fldChar w:fldCharType=\"begin\"/>",
        style->total ? "<w:instrText xml:space=\"preserve\"> NUMPAGES </w:instrText>"
                     : "<w:instrText xml:space=\"preserve\"> PAGE </w:instrText>",
        "<w:fldChar w:fldCharType=\"separate\"/>"
    };

    for (int i = 0; i < 3; i++) {
        buf_puts(xml, "<w:r>");
        put_style(body, style);
        buf_printf(xml, "%s</w:r>", before[i]);
    }
    put_text(body, style, digits, n);
    buf_puts(xml, "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>");
}

static void put_run(struct body *body, const struct run *run)
{
    if (run->style.number || run->style.total)
        put_page_field(body, &run->style, run->text, run->len);
    else
        put_text(body, &run->style, run->text, run->len);
}

/* A note is a comment where it is met first. */
static bool begin_note(struct body *body, const struct sheet_note *note)
{
    const char *at = note->text;

    if (!body->comments || note == body->noted || !note->text || !note->author)
        return false;
    body->noted = note;
    body->n_comments++;
    buf_printf(body->comments, "<w:comment w:id=\"%u\" w:author=\"", body->n_comments);
    xml_text(body->comments, note->author, strlen(note->author));
    buf_puts(body->comments, "\">");
    do {
        size_t n = strcspn(at, "\r\n");

        buf_puts(body->comments, "<w:p><w:r><w:t xml:space=\"preserve\">");
        xml_text(body->comments, at, n);
        buf_puts(body->comments, "</w:t></w:r></w:p>");
        at += n;
        at += strspn(at, "\r\n");
    } while (*at);
    buf_puts(body->comments, "</w:comment>");
    buf_printf(&body->xml, "<w:commentRangeStart w:id=\"%u\"/>", body->n_comments);
    return true;
}

/* Whether the note is of one of the next runs, too. */
static bool goes_on(const struct paragraph *p, size_t i, const struct sheet_note *note)
{
    return i < p->n_runs &&
           (p->runs[i].style.note == note ||
            (!p->runs[i].style.note && i + 1 < p->n_runs && p->runs[i + 1].style.note == note));
}

/* A link that is open ends with it. */
static void end_note(struct body *body, const struct sheet_link **open)
{
    if (*open)
        buf_puts(&body->xml, "</w:hyperlink>");
    *open = NULL;
    buf_printf(&body->xml,
               "<w:commentRangeEnd w:id=\"%u\"/><w:r><w:commentReference w:id=\"%u\"/></w:r>",
               body->n_comments, body->n_comments);
}

/* Comments begin and end where no link is open. */
static void put_runs(struct body *body, const struct paragraph *p)
{
    const struct sheet_link *open = NULL;
    const struct sheet_note *noted = NULL;

    for (size_t i = 0; i < p->n_runs; i++) {
        const struct sheet_link *link = p->runs[i].style.link;
        const struct sheet_note *note = p->runs[i].style.note;

        if (open && open != link)
            buf_puts(&body->xml, "</w:hyperlink>");
        if (note && !noted && (!link || open != link) && begin_note(body, note))
            noted = note;
        if (link && open != link) {
            if (link->uri)
                buf_printf(&body->xml, "<w:hyperlink r:id=\"rId%u\">",
                           body_relate(body, "hyperlink", link->uri, true));
            else
                buf_printf(&body->xml, "<w:hyperlink w:anchor=\"_Page%zu\">", link->page + 1);
        }
        open = link;
        put_run(body, &p->runs[i]);
        if (noted && !goes_on(p, i + 1, noted)) {
            end_note(body, &open);
            noted = NULL;
        }
    }
    if (open)
        buf_puts(&body->xml, "</w:hyperlink>");
}

void body_waiting(struct body *body)
{
    if (body->bookmark)
        buf_printf(&body->xml,
                   "<w:bookmarkStart w:id=\"%u\" w:name=\"_Page%u\"/><w:bookmarkEnd w:id=\"%u\"/>",
                   body->bookmark, body->bookmark, body->bookmark);
    body->bookmark = 0;
    buf_put(&body->xml, body->floats.data, body->floats.len);
    body->floats.len = 0;
}

/* In a paragraph of its own: Word sets the space before a paragraph in the column where its first
 * character is, and that would be the break. */
static void put_column_break(struct body *body)
{
    buf_puts(&body->xml, "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"0\" w:line=\"20\" "
                         "w:lineRule=\"exact\"/></w:pPr><w:r><w:br w:type=\"column\"/></w:r>"
                         "</w:p>");
}

void body_paragraph(struct body *body, const struct paragraph *p, float after)
{
    buf_puts(&body->xml, "<w:p>");
    put_properties(body, p, after);
    body_waiting(body);
    body->heading = p->heading ? &body->headings[p->heading - 1] : NULL;
    if (p->heading && p->n_runs && body->heading->size <= 0)
        body->headings[p->heading - 1] = p->runs[0].style;
    put_runs(body, p);
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
    put_runs(body, p);
    buf_puts(xml, end);
    return true;
}

void body_spacer(struct body *body, float height)
{
    struct paragraph p = { .line = height > 1 ? height : 1, .shade = STYLE_PLAIN };

    body_paragraph(body, &p, 0);
}

void body_blocks(struct body *body, const struct block *blocks, size_t n)
{
    bool after_paragraph = false;

    for (size_t i = 0; i < n; i++) {
        const struct block *next = i + 1 < n ? &blocks[i + 1] : NULL;
        float after =
            next && next->kind == BLOCK_TABLE && !next->column_break ? next->table.before : 0;

        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n is 0 where there are none. */
        if (blocks[i].column_break && !body->exact) {
            put_column_break(body);
            after_paragraph = false;
        }
        if (blocks[i].kind == BLOCK_PARAGRAPH) {
            body_paragraph(body, &blocks[i].paragraph, after);
        } else if (blocks[i].kind == BLOCK_TABLE) {
            if (!after_paragraph)
                body_spacer(body, blocks[i].table.before);
            body_table(body, &blocks[i].table);
            /* A table with a place hangs on the next paragraph, and not on a frame. */
            if (body->exact && !body->inside)
                body_spacer(body, 1);
        } else {
            body_figure(body, &blocks[i].figure);
        }
        after_paragraph = blocks[i].kind == BLOCK_PARAGRAPH;
    }
}
