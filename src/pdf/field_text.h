/* field_text: the text of a form field as content of its appearance (ISO 32000-2, 12.7.4.3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct field_text {
    double width, height; /* of the field, in points */
    double edge;          /* width of its border, in points */
    double size;          /* of the font, in points; 0: one that fits */
    const char *font;     /* one of the standard fonts, without a slash */
    char colour[64];      /* operands and operator; "" for black */
    int across;           /* quadding: 0 left, 1 centre, 2 right */
    long long cells;      /* characters that stand in a cell each; 0: no comb */
    bool lines;           /* lines are broken to the width, from the top */
    bool symbols;         /* the value is the mark of a button, a code of ZapfDingbats */
};

/* Appends a text string (7.9.2.2) to `out` in WinAnsiEncoding, lines ended by '\n'. False if a
 * character has no code there. */
bool field_text_read(const char *bytes, size_t n, struct buf *out);
/* Takes size, family and colour from a default appearance string, which is not trusted. */
void field_text_style(struct field_text *text, const char *bytes, size_t n);
/* Appends the operators that show `value`, which is in WinAnsiEncoding. */
void field_text_put(const struct field_text *text, const struct buf *value, struct buf *out);
