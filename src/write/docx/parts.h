/* parts: writes the parts of a document besides its text. */
#pragma once

#include "write/docx/docx.h"
#include "write/docx/units.h"

/* Writes the content type of a part, for parts_content_types. `name`: in word/. */
void parts_type(struct buf *xml, const char *name, const char *kind);
/* Writes [Content_Types].xml. `more`: what parts_type wrote for headers and footers. */
void parts_content_types(struct buf *xml, const struct buf *more, bool comments);
/* Writes the relationships of the package (_rels/.rels). */
/* Appends a relationship; `outside`: its target is not in the package. */
void parts_relation(struct buf *rels, unsigned id, const char *type, const char *target,
                    bool outside);
void parts_package_rels(struct buf *xml);
/* Writes styles.xml. `headings`: the style of each level, with its font; size 0: there is none.
 * `notes`: the font size of footnotes; 0: there are none. */
void parts_styles(struct buf *xml, const char *family, float size, const struct style *headings,
                  float notes, const struct page_font *fonts);

struct parts_settings {
    bool alternates; /* even pages have different headers and footers */
    bool mirrored;   /* even pages have left and right margins exchanged */
    bool even;       /* columns end at one height */
    bool notes;      /* there are footnotes */
};
/* Writes settings.xml. */
void parts_settings(struct buf *xml, const struct parts_settings *settings);
/* Writes numbering.xml: the lists of the document. */
void parts_numbering(struct buf *xml, const struct numbering *numbering,
                     const struct page_font *fonts);
