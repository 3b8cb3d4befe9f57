#include "write/docx/comments.h"

#include <math.h>
#include <string.h>

#define MAIN_NS    "http://schemas.openxmlformats.org/drawingml/2006/main"
#define PICTURE_NS "http://schemas.openxmlformats.org/drawingml/2006/picture"
#define DRAWING_NS "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
#define WIDEST     200.0F /* points of a picture: Word's comments are narrow */
#define LARGER     1.5F   /* pictures of words are shown so much larger than they are */

/* The relationship of the picture of a note of the current page; 0: it has none. */
static unsigned picture_of(const struct body *body, const struct page_note *note)
{
    const struct page_content *content = body->content;

    if (!note->picture || !body->note_rels || !content || note < content->notes ||
        note >= content->notes + content->n_notes)
        return 0;
    return body->note_rels[note - content->notes];
}

static void put_noted_picture(struct body *body, const struct page_note *note, unsigned rel)
{
    float width = fminf(fmaxf(area_width(&note->area), 10) * LARGER, WIDEST);
    float height = width * (float) note->rows / (float) (note->columns ? note->columns : 1);
    long long w = (long long) units_emu(width), h = (long long) units_emu(height);
    unsigned id = ++body->n_drawings;

    buf_printf(body->comments,
               "<w:p><w:r><w:drawing><wp:inline xmlns:wp=\"" DRAWING_NS "\" distT=\"0\" "
               "distB=\"0\" distL=\"0\" distR=\"0\"><wp:extent cx=\"%lld\" cy=\"%lld\"/>"
               "<wp:docPr id=\"%u\" name=\"Picture %u\" descr=\"",
               w, h, id, id);
    xml_text(body->comments, note->text, strlen(note->text));
    buf_printf(body->comments,
               "\"/><wp:cNvGraphicFramePr/><a:graphic xmlns:a=\"" MAIN_NS "\"><a:graphicData "
               "uri=\"" PICTURE_NS "\"><pic:pic xmlns:pic=\"" PICTURE_NS "\"><pic:nvPicPr>"
               "<pic:cNvPr id=\"%u\" name=\"Picture %u\"/><pic:cNvPicPr/></pic:nvPicPr>"
               "<pic:blipFill><a:blip r:embed=\"rId%u\"/><a:stretch><a:fillRect/></a:stretch>"
               "</pic:blipFill><pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/>"
               "<a:ext cx=\"%lld\" cy=\"%lld\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/>"
               "</a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>"
               "</w:drawing></w:r></w:p>",
               id, id, rel, w, h);
}

void comments_put(struct body *body, const struct page_note *note)
{
    const char *at = note->text;
    unsigned rel = picture_of(body, note);

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
    if (rel)
        put_noted_picture(body, note, rel);
    buf_puts(body->comments, "</w:comment>");
}
