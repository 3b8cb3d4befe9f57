/* What all that is written into a part of the document needs: relationships, and what waits for a
 * paragraph. See body.h. */
#include "write/docx/body.h"
#include "write/docx/parts.h"

void body_free(struct body *body)
{
    buf_free(&body->xml);
    buf_free(&body->rels);
    buf_free(&body->floats);
}

unsigned body_relate(struct body *body, const char *type, const char *target, bool outside)
{
    unsigned id = ++body->n_rels;

    parts_relation(&body->rels, id, type, target, outside);
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
