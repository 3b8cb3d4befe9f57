/* parts: the parts of a document besides its text. */
#pragma once

#include "docx/docx.h"
#include "docx/xml.h"

struct parts_present {
    bool head, foot, alternates, comments;
};

void parts_content_types(struct buf *xml, const struct parts_present *present);
void parts_package_rels(struct buf *xml);
void parts_styles(struct buf *xml, const char *family, float size);
/* `alternates`: pages with even numbers have headers and footers of their own. */
void parts_settings(struct buf *xml, bool alternates);
void parts_numbering(struct buf *xml, const struct numbering *numbering,
                     const struct sheet_font *fonts);
