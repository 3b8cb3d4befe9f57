#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/docx/body.h"

#define DRAWING                                                                                    \
    "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\""
#define MAIN_NS    "http://schemas.openxmlformats.org/drawingml/2006/main"
#define SHAPE_NS   "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
#define PICTURE_NS "http://schemas.openxmlformats.org/drawingml/2006/picture"

/* The link a picture has: its relationship; 0: it has none. */
static unsigned link_of(struct body *body, const struct area *area)
{
    float x = (area->x0 + area->x1) / 2, y = (area->y0 + area->y1) / 2;

    for (size_t i = 0; body->content && i < body->content->n_links; i++) {
        const struct page_link *link = &body->content->links[i];

        if (link->uri && x > link->area.x0 && x < link->area.x1 && y > link->area.y0 &&
            y < link->area.y1)
            return body_relate(body, "hyperlink", link->uri, true);
    }
    return 0;
}

static void put_graphic(struct body *body, struct buf *xml, const struct page_picture *picture,
                        unsigned rel, bool pale)
{
    const struct area *area = &picture->area;
    int64_t w = units_emu(area_width(area)), h = units_emu(area_height(area));
    unsigned id = body->n_drawings, link = link_of(body, area);
    char click[160] = "";

    if (link)
        snprintf(click, sizeof click, "<a:hlinkClick xmlns:a=\"" MAIN_NS "\" r:id=\"rId%u\"/>",
                 link);
    buf_printf(xml, "<wp:docPr id=\"%u\" name=\"Picture %u\"", id, id);
    if (picture->text) {
        buf_puts(xml, " descr=\"");
        xml_text(xml, picture->text, strlen(picture->text));
        buf_puts(xml, "\"");
    }
    buf_printf(
        xml,
        ">%s</wp:docPr><wp:cNvGraphicFramePr/>"
        "<a:graphic xmlns:a=\"" MAIN_NS "\"><a:graphicData uri=\"" PICTURE_NS "\">"
        "<pic:pic xmlns:pic=\"" PICTURE_NS "\"><pic:nvPicPr><pic:cNvPr id=\"%u\" "
        "name=\"Picture %u\"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>"
        "<a:blip r:embed=\"rId%u\">%s</a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
        "<pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"%lld\" cy=\"%lld\"/></a:xfrm>"
        "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>"
        "</a:graphicData></a:graphic>",
        click, id, id, rel, pale ? "<a:lum bright=\"70000\" contrast=\"-70000\"/>" : "",
        (long long) w, (long long) h);
}

/* CT_Anchor up to what is anchored. `turned`: sixtieths of a thousandth of a degree. */
static void begin_anchor(struct body *body, const struct area *area, bool behind)
{
    struct buf *xml = &body->floats;
    int64_t w = units_emu(area_width(area)), h = units_emu(area_height(area));

    buf_printf(xml,
               "<w:r><w:drawing><wp:anchor " DRAWING " distT=\"0\" distB=\"0\" distL=\"0\" "
               "distR=\"0\" simplePos=\"0\" relativeHeight=\"%u\" behindDoc=\"%d\" locked=\"0\" "
               "layoutInCell=\"1\" allowOverlap=\"1\"><wp:simplePos x=\"0\" y=\"0\"/>"
               "<wp:positionH relativeFrom=\"page\"><wp:posOffset>%lld</wp:posOffset>"
               "</wp:positionH><wp:positionV relativeFrom=\"page\"><wp:posOffset>%lld"
               "</wp:posOffset></wp:positionV><wp:extent cx=\"%lld\" cy=\"%lld\"/>"
               "<wp:effectExtent l=\"0\" t=\"0\" r=\"0\" b=\"0\"/><wp:wrapNone/>",
               body->n_drawings, behind, (long long) units_emu(area->x0),
               (long long) units_emu(area->y0), (long long) w, (long long) h);
}

static void put_anchor(struct body *body, const struct figure *figure, unsigned rel)
{
    const struct area *area = &figure->picture->area;

    begin_anchor(body, area, !figure->front);
    put_graphic(body, &body->floats, figure->picture, rel, figure->pale);
    buf_puts(&body->floats, "</wp:anchor></w:drawing></w:r>");
}

/* Upwards and downwards are directions of text, all else is a turned box. */
static const char *direction_of(float angle)
{
    return fabsf(angle + 90) < 3 ? "vert270" : fabsf(angle - 90) < 3 ? "vert" : "horz";
}

void body_text_box(struct body *body, const struct text_box *box)
{
    const char *direction = direction_of(box->angle);
    bool upright = strcmp(direction, "horz") != 0;
    float w = upright ? box->height : box->width, h = upright ? box->width : box->height;
    struct area area = { box->x - w / 2, box->y - h / 2, box->x + w / 2, box->y + h / 2 };
    struct buf outer = body->xml, text;
    size_t section_at = body->section_at;
    bool break_before = body->break_before;
    unsigned bookmark = body->bookmark;
    struct buf floats = body->floats;

    /* The paragraph is written aside. */
    body->xml = body->floats = BUF_EMPTY;
    body->break_before = false;
    body->bookmark = 0;
    body_paragraph(body, &box->paragraph, 0);
    text = body->xml;
    body->xml = outer;
    body->floats = floats;
    body->break_before = break_before;
    body->bookmark = bookmark;
    body->section_at = section_at;
    body->n_drawings++;
    begin_anchor(body, &area, false);
    buf_printf(
        &body->floats,
        "<wp:docPr id=\"%u\" name=\"Text %u\"/><wp:cNvGraphicFramePr/>"
        "<a:graphic xmlns:a=\"" MAIN_NS "\"><a:graphicData uri=\"" SHAPE_NS "\">"
        "<wps:wsp xmlns:wps=\"" SHAPE_NS "\"><wps:cNvSpPr txBox=\"1\"/><wps:spPr>"
        "<a:xfrm rot=\"%d\"><a:off x=\"0\" y=\"0\"/><a:ext cx=\"%lld\" cy=\"%lld\"/></a:xfrm>"
        "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></wps:spPr><wps:txbx>"
        "<w:txbxContent>",
        body->n_drawings, body->n_drawings, upright ? 0 : (int) lrintf(box->angle * 60000),
        (long long) units_emu(w), (long long) units_emu(h));
    buf_put(&body->floats, text.data, text.len);
    buf_printf(
        &body->floats,
        "</w:txbxContent></wps:txbx><wps:bodyPr vert=\"%s\" wrap=\"none\" lIns=\"0\" tIns=\"0\" "
        "rIns=\"0\" bIns=\"0\" anchor=\"ctr\"/></wps:wsp></a:graphicData></a:graphic>"
        "</wp:anchor></w:drawing></w:r>",
        direction);
    body->floats.failed |= text.failed;
    buf_free(&text);
}

void body_figure(struct body *body, const struct figure *figure)
{
    struct buf *xml = &body->xml;
    const struct area *area = &figure->picture->area;
    int64_t w = units_emu(area_width(area)), h = units_emu(area_height(area));

    unsigned rel = body->picture_rels[figure->picture - body->pictures];

    body->n_drawings++;
    if (figure->floating) {
        put_anchor(body, figure, rel);
        return;
    }
    buf_puts(xml, "<w:p><w:pPr>");
    if (body->break_before)
        buf_puts(xml, "<w:pageBreakBefore/>");
    body->break_before = false;
    buf_printf(xml,
               "<w:spacing w:before=\"%d\" w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/>"
               "<w:ind w:left=\"%d\"/>",
               units_twips(figure->before), units_twips(figure->indent));
    body->section_at = xml->len;
    buf_puts(xml, "</w:pPr>");
    body_waiting(body);
    buf_printf(xml,
               "<w:r><w:rPr><w:sz w:val=\"2\"/></w:rPr><w:drawing><wp:inline " DRAWING
               " distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\"><wp:extent cx=\"%lld\" "
               "cy=\"%lld\"/>",
               (long long) w, (long long) h);
    put_graphic(body, xml, figure->picture, rel, false);
    buf_puts(xml, "</wp:inline></w:drawing></w:r></w:p>");
}
