/* parts: the parts of a document besides its text. */
#pragma once

#include "docx/docx.h"
#include "docx/xml.h"

void parts_content_types(struct buf *xml, bool has_head, bool has_foot, bool has_comments);
void parts_package_rels(struct buf *xml);
void parts_styles(struct buf *xml, const char *family, float size);
void parts_settings(struct buf *xml);
void parts_numbering(struct buf *xml, const struct numbering *numbering);
