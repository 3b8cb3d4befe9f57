#include "write/docx/parts.h"

#include <math.h>
#include <string.h>

#define WORD "application/vnd.openxmlformats-officedocument.wordprocessingml."
#define REL  "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

void parts_type(struct buf *xml, const char *name, const char *kind)
{
    buf_printf(xml, "<Override PartName=\"/word/%s\" ContentType=\"" WORD "%s+xml\"/>", name, kind);
}

void parts_content_types(struct buf *xml, const struct buf *more, bool comments)
{
    buf_puts(xml, XML_HEAD
             "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
             "<Default Extension=\"rels\" "
             "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
             "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
             "<Default Extension=\"png\" ContentType=\"image/png\"/>"
             "<Default Extension=\"jpg\" ContentType=\"image/jpeg\"/>");
    parts_type(xml, "document.xml", "document.main");
    parts_type(xml, "styles.xml", "styles");
    parts_type(xml, "settings.xml", "settings");
    parts_type(xml, "numbering.xml", "numbering");
    buf_put(xml, more->data, more->len);
    xml->failed |= more->failed;
    if (comments)
        parts_type(xml, "comments.xml", "comments");
    buf_puts(xml, "</Types>");
}

void parts_relation(struct buf *rels, unsigned id, const char *type, const char *target,
                    bool outside)
{
    buf_printf(rels, "<Relationship Id=\"rId%u\" Type=\"" REL "%s\" Target=\"", id, type);
    xml_text(rels, target, strlen(target));
    buf_printf(rels, "\"%s/>", outside ? " TargetMode=\"External\"" : "");
}

void parts_package_rels(struct buf *xml)
{
    buf_puts(xml, XML_HEAD "<Relationships "
                           "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
                           "<Relationship Id=\"rId1\" Type=\"" REL "officeDocument\" "
                           "Target=\"word/document.xml\"/></Relationships>");
}

void parts_settings(struct buf *xml, const struct parts_settings *settings)
{
    buf_puts(xml, XML_HEAD "<w:settings " XML_W "><w:zoom w:percent=\"100\"/>");
    if (settings->mirrored)
        buf_puts(xml, "<w:mirrorMargins/>");
    buf_puts(xml, "<w:defaultTabStop w:val=\"720\"/>");
    if (settings->alternates)
        buf_puts(xml, "<w:evenAndOddHeaders/>");
    if (settings->notes)
        buf_puts(xml, "<w:footnotePr><w:footnote w:id=\"-1\"/><w:footnote w:id=\"0\"/>"
                      "</w:footnotePr>");
    buf_puts(xml, "<w:compat>");
    if (!settings->even)
        buf_puts(xml, "<w:noColumnBalance/>");
    buf_puts(xml, "<w:compatSetting w:name=\"compatibilityMode\" "
                  "w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>"
                  "</w:settings>");
}

static void put_font(struct buf *xml, const struct page_font *font)
{
    buf_puts(xml, "<w:rFonts w:ascii=\"");
    xml_text(xml, font->family, strlen(font->family));
    buf_puts(xml, "\" w:hAnsi=\"");
    xml_text(xml, font->family, strlen(font->family));
    buf_puts(xml, "\"/>");
    buf_puts(xml, font->bold ? "<w:b/>" : "<w:b w:val=\"0\"/>");
    buf_puts(xml, font->italic ? "<w:i/>" : "<w:i w:val=\"0\"/>");
}

/* What the heading of a level that somebody adds will be like: as the others are. */
static void put_heading(struct buf *xml, const struct style *style, const struct page_font *fonts)
{
    int half = (int) lrintf(style->size * 2);

    if (style->size <= 0 || !fonts)
        return;
    buf_puts(xml, "<w:rPr>");
    put_font(xml, &fonts[style->font]);
    buf_printf(xml, "<w:color w:val=\"%06X\"/>", style->color);
    if (half > 2)
        buf_printf(xml, "<w:sz w:val=\"%d\"/><w:szCs w:val=\"%d\"/>", half, half);
    buf_puts(xml, "</w:rPr>");
}

/* What the notes that somebody adds will be like. */
static void put_note_styles(struct buf *xml, float size)
{
    int half = (int) lrintf(size * 2);

    buf_printf(xml,
               "<w:style w:type=\"paragraph\" w:styleId=\"FootnoteText\">"
               "<w:name w:val=\"footnote text\"/><w:basedOn w:val=\"Normal\"/>"
               "<w:uiPriority w:val=\"99\"/><w:rPr><w:sz w:val=\"%d\"/><w:szCs w:val=\"%d\"/>"
               "</w:rPr></w:style>"
               "<w:style w:type=\"character\" w:styleId=\"FootnoteReference\">"
               "<w:name w:val=\"footnote reference\"/><w:uiPriority w:val=\"99\"/><w:rPr>"
               "<w:vertAlign w:val=\"superscript\"/></w:rPr></w:style>",
               half, half);
}

void parts_styles(struct buf *xml, const char *family, float size, const struct style *headings,
                  float notes, const struct page_font *fonts)
{
    int half = (int) lrintf(size * 2);

    buf_printf(xml,
               XML_HEAD "<w:styles " XML_W "><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts "
                        "w:ascii=\"%s\" w:hAnsi=\"%s\" w:eastAsia=\"%s\" w:cs=\"%s\"/>"
                        "<w:sz w:val=\"%d\"/><w:szCs w:val=\"%d\"/></w:rPr></w:rPrDefault>"
                        "<w:pPrDefault/></w:docDefaults>",
               family, family, family, family, half, half);
    buf_puts(xml, "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\">"
                  "<w:name w:val=\"Normal\"/><w:qFormat/><w:pPr><w:widowControl w:val=\"0\"/>"
                  "</w:pPr></w:style>"
                  "<w:style w:type=\"paragraph\" w:styleId=\"ListParagraph\">"
                  "<w:name w:val=\"List Paragraph\"/><w:basedOn w:val=\"Normal\"/>"
                  "<w:uiPriority w:val=\"34\"/><w:qFormat/></w:style>");
    for (int i = 1; i <= MODEL_HEADINGS; i++) {
        buf_printf(xml,
                   "<w:style w:type=\"paragraph\" w:styleId=\"Heading%d\"><w:name "
                   "w:val=\"heading %d\"/><w:basedOn w:val=\"Normal\"/><w:next w:val=\"Normal\"/>"
                   "<w:uiPriority w:val=\"9\"/><w:qFormat/><w:pPr><w:keepNext/>"
                   "<w:outlineLvl w:val=\"%d\"/></w:pPr>",
                   i, i, i - 1);
        put_heading(xml, &headings[i - 1], fonts);
        buf_puts(xml, "</w:style>");
    }
    if (notes > 0)
        put_note_styles(xml, notes);
    buf_puts(xml, "</w:styles>");
}

static void put_level(struct buf *xml, const struct label *label, int level,
                      const struct page_font *fonts)
{
    static const char *const formats[] = { "none",        "bullet",     "decimal", "lowerLetter",
                                           "upperLetter", "lowerRoman", "decimal" };
    float hang = label->text - label->x;
    int half = (int) lrintf(label->size * 2);

    buf_printf(xml,
               "<w:lvl w:ilvl=\"%d\"><w:start w:val=\"%d\"/><w:numFmt w:val=\"%s\"/>"
               "<w:lvlText w:val=\"",
               level, label->value > 0 ? label->value : 1, formats[label->kind]);
    if (label->kind == LABEL_BULLET)
        buf_printf(xml, "&#x%x;", label->bullet);
    for (int i = 0; label->kind == LABEL_OUTLINE && i <= level; i++)
        buf_printf(xml, "%s%%%d", i ? "." : "", i + 1);
    if (label->kind == LABEL_OUTLINE && label->close)
        buf_puts(xml, ".");
    if (label->kind != LABEL_BULLET && label->kind != LABEL_OUTLINE)
        buf_printf(xml, "%s%%%d%c", label->open ? "(" : "", level + 1, label->close);
    buf_printf(xml,
               "\"/><w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"%d\" w:hanging=\"%d\"/>"
               "</w:pPr><w:rPr>",
               units_twips(label->text), units_twips(hang > 0 ? hang : 0));
    /* A bullet has no font of its own: it became another one. */
    if (label->kind != LABEL_BULLET && fonts)
        put_font(xml, &fonts[label->font]);
    if (label->color)
        buf_printf(xml, "<w:color w:val=\"%06X\"/>", label->color);
    if (half > 2)
        buf_printf(xml, "<w:sz w:val=\"%d\"/><w:szCs w:val=\"%d\"/>", half, half);
    buf_puts(xml, "</w:rPr></w:lvl>");
}

void parts_numbering(struct buf *xml, const struct numbering *numbering,
                     const struct page_font *fonts)
{
    buf_puts(xml, XML_HEAD "<w:numbering " XML_W ">");
    for (size_t i = 0; i < numbering->n; i++) {
        const struct numbering_list *list = &numbering->items[i];
        int n = 0;

        while (n < NUMBERING_LEVELS && list->levels[n].kind != LABEL_NONE)
            n++;
        buf_printf(xml,
                   "<w:abstractNum w:abstractNumId=\"%zu\"><w:multiLevelType "
                   "w:val=\"hybridMultilevel\"/>",
                   i + 1);
        for (int k = 0; k < n; k++)
            put_level(xml, &list->levels[k], k, fonts);
        buf_puts(xml, "</w:abstractNum>");
    }
    for (size_t i = 0; i < numbering->n; i++)
        buf_printf(xml, "<w:num w:numId=\"%zu\"><w:abstractNumId w:val=\"%zu\"/></w:num>", i + 1,
                   i + 1);
    buf_puts(xml, "</w:numbering>");
}
