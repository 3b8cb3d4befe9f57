/* parts: the parts of a document besides its text. */
#pragma once

#include "docx/docx.h"
#include "docx/units.h"

/* What a part is, of those that parts_content_types is told of. `name`: in word/. */
void parts_type(struct buf *xml, const char *name, const char *kind);
/* `more`: what parts_type wrote of headers and footers. */
void parts_content_types(struct buf *xml, const struct buf *more, bool comments);
void parts_package_rels(struct buf *xml);
/* `headings`: what those of each level are like, of the fonts; size 0: there are none. `notes`: the
 * size of footnotes; 0: there are none. */
void parts_styles(struct buf *xml, const char *family, float size, const struct style *headings,
                  float notes, const struct sheet_font *fonts);

struct parts_settings {
    bool alternates; /* pages with even numbers have headers and footers of their own */
    bool mirrored;   /* and left and right margins exchanged */
    bool even;       /* columns end at one height */
    bool notes;      /* there are footnotes */
};
void parts_settings(struct buf *xml, const struct parts_settings *settings);
void parts_numbering(struct buf *xml, const struct numbering *numbering,
                     const struct sheet_font *fonts);
