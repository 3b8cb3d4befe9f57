/* What all that is written into a part of the document needs: relationships, and what waits for a
 * paragraph. See body.h. */
#include <string.h>

#include "write/docx/body.h"

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
