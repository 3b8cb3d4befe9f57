/* xml: what the parts of a document (ECMA-376, Part 1) are written with. Measures are whole
 * numbers, as Word wants them. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define XML_W    "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\""
#define XML_R    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\""

/* Text, with what has a meaning in XML escaped; what XML may not hold is left out. */
void xml_text(struct buf *out, const char *text, size_t n);
/* Twentieths of a point, and English metric units; within what Word takes. */
int xml_twips(float points);
int64_t xml_emu(float points);
