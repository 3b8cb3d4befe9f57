#include "write/docx/runs.h"

#include <math.h>
#include <string.h>

#include "write/docx/comments.h"
#include "write/docx/equation.h"

static void put_toggle(struct buf *xml, char name, bool on, bool inherited)
{
    if (on || inherited)
        buf_printf(xml, on ? "<w:%c/><w:%cCs/>" : "<w:%c w:val=\"0\"/><w:%cCs w:val=\"0\"/>", name,
                   name);
}

/* CT_RPr. */
static void put_style(struct body *body, const struct style *style)
{
    const struct page_font *font = &body->fonts[style->font];
    struct buf *xml = &body->xml;
    /* What a heading's style says has to be said of text that is otherwise. */
    const struct page_font *look = body->heading ? &body->fonts[body->heading->font] : NULL;
    int half = (int) lrintf(fmaxf(style->size, 1) * 2);
    int spacing = units_twips(style->spacing);

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

static void put_run_text(struct body *body, const struct style *style, const char *text, size_t n)
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
    put_run_text(body, style, digits, n);
    /* LibreOffice draws the field as its last part. */
    buf_puts(xml, "<w:r>");
    put_style(body, style);
    buf_puts(xml, "<w:fldChar w:fldCharType=\"end\"/></w:r>");
}

void runs_reference(struct body *body, const struct run *mark, unsigned id, bool counted)
{
    struct buf *xml = &body->xml;

    buf_puts(xml, "<w:r>");
    put_style(body, &mark->style);
    if (counted) {
        buf_printf(xml, "<w:footnoteReference w:id=\"%u\"/></w:r>", id);
        return;
    }
    buf_printf(xml,
               "<w:footnoteReference w:customMarkFollows=\"1\" w:id=\"%u\"/>"
               "<w:t xml:space=\"preserve\">",
               id);
    xml_text(xml, mark->text, mark->len);
    buf_puts(xml, "</w:t></w:r>");
}

/* At the beginning of a note. */
static void put_note_number(struct body *body, const struct style *style)
{
    buf_puts(&body->xml, "<w:r>");
    put_style(body, style);
    buf_puts(&body->xml, "<w:footnoteRef/></w:r>");
    body->noted_by_number = false;
}

static void put_run(struct body *body, const struct run *run)
{
    if (run->footnote && body->notes)
        body->put_note(body->notes, body, run);
    else if (body->noted_by_number)
        put_note_number(body, &run->style);
    else if (run->style.formula)
        equation_put(&body->xml, body->fonts, run->style.formula);
    else if (run->style.number || run->style.total)
        put_page_field(body, &run->style, run->text, run->len);
    else
        put_run_text(body, &run->style, run->text, run->len);
}

/* A note is a comment where it is met first. */
static bool begin_note(struct body *body, const struct page_note *note)
{
    if (!body->comments || note == body->noted || !note->text || !note->author)
        return false;
    body->noted = note;
    comments_put(body, note);
    buf_printf(&body->xml, "<w:commentRangeStart w:id=\"%u\"/>", body->n_comments);
    return true;
}

/* Whether the note is of one of the next runs, too. */
static bool continues_note(const struct paragraph *p, size_t i, const struct page_note *note)
{
    return i < p->n_runs &&
           (p->runs[i].style.note == note ||
            (!p->runs[i].style.note && i + 1 < p->n_runs && p->runs[i + 1].style.note == note));
}

/* A link that is open ends with it. */
static void end_note(struct body *body, const struct page_link **open)
{
    if (*open)
        buf_puts(&body->xml, "</w:hyperlink>");
    *open = NULL;
    buf_printf(&body->xml,
               "<w:commentRangeEnd w:id=\"%u\"/><w:r><w:commentReference w:id=\"%u\"/></w:r>",
               body->n_comments, body->n_comments);
}

static void put_options(struct buf *xml, const char *options)
{
    buf_puts(xml, "<w:dropDownList>");
    for (const char *at = options; at && *at; at += strlen(at) + 1) {
        buf_puts(xml, "<w:listItem w:displayText=\"");
        xml_text(xml, at, strlen(at));
        buf_puts(xml, "\" w:value=\"");
        xml_text(xml, at, strlen(at));
        buf_puts(xml, "\"/>");
    }
    buf_puts(xml, "</w:dropDownList>");
}

/* A content control (CT_SdtRun) begins. Word has none for one of several: each is a box. */
static void begin_field(struct body *body, const struct page_field *field)
{
    struct buf *xml = &body->xml;

    buf_puts(xml, "<w:sdt><w:sdtPr>");
    if (field->name && *field->name) {
        buf_puts(xml, "<w:alias w:val=\"");
        xml_text(xml, field->name, strlen(field->name));
        buf_puts(xml, "\"/>");
    }
    if (field->kind == FIELD_TEXT)
        buf_puts(xml, "<w:text w:multiLine=\"1\"/>");
    else if (field->kind == FIELD_CHOICE)
        put_options(xml, field->options);
    else
        buf_printf(
            xml,
            "<w14:checkbox " XML_W14 "><w14:checked w14:val=\"%d\"/>"
            "<w14:checkedState w14:val=\"%X\" w14:font=\"" PAGE_FIELD_FONT "\"/>"
            "<w14:uncheckedState w14:val=\"%X\" w14:font=\"" PAGE_FIELD_FONT "\"/></w14:checkbox>",
            field->on, page_field_sign(field->kind, true), page_field_sign(field->kind, false));
    buf_puts(xml, "</w:sdtPr><w:sdtContent>");
}

static void end_field(struct body *body, const struct page_field **open)
{
    if (*open)
        buf_puts(&body->xml, "</w:sdtContent></w:sdt>");
    *open = NULL;
}

/* Comments begin and end where no link is open. */
void runs_put(struct body *body, const struct paragraph *p)
{
    const struct page_link *open = NULL;
    const struct page_note *noted = NULL;
    const struct page_field *field = NULL;

    for (size_t i = 0; i < p->n_runs; i++) {
        const struct page_link *link = p->runs[i].style.link;
        const struct page_note *note = p->runs[i].style.note;

        if (field != p->runs[i].style.field)
            end_field(body, &field);
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
        if (p->runs[i].style.field && !field && !link) {
            field = p->runs[i].style.field;
            begin_field(body, field);
        }
        put_run(body, &p->runs[i]);
        if (noted && !continues_note(p, i + 1, noted)) {
            end_field(body, &field);
            end_note(body, &open);
            noted = NULL;
        }
    }
    end_field(body, &field);
    if (open)
        buf_puts(&body->xml, "</w:hyperlink>");
}
