/* shown_font: what the codes of a PDF's font mean (ISO 32000-1, 9.10). */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "pdf/object/obj.h"

struct shown_font {
    int64_t id;       /* of its object, as of obj_id */
    size_t bytes;     /* of a code: 1 or 2 */
    uint32_t *places; /* in `text`, by code; the text ends with a NUL; NULL: no map */
    struct buf text;
};

/* Reads the map from codes to text. Without one the codes are taken as Latin-1. False: out of
 * memory. */
bool shown_font_read(struct shown_font *font, struct obj dict);
void shown_font_free(struct shown_font *font);
/* Appends the letters of a string that is shown, folded (engine/office_text/folded.h). */
void shown_font_put(const struct shown_font *font, const char *codes, size_t n, struct buf *out);
/* Appends text in UTF-16 (big-endian) as UTF-8. */
void shown_font_utf16(const char *bytes, size_t n, struct buf *out);
