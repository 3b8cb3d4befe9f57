/* units: writes measures and other values in parts of a Word document (ECMA-376, Part 1).
 * Measures are whole numbers, as Word requires. */
#pragma once

#include <stdint.h>

#include "write/opc/xml.h"

#define XML_W   "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\""
#define XML_W14 "xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\""
/* A part that has elements of XML_W14, which readers that do not know them ignore. */
#define XML_W14_IGNORABLE                                                                          \
    XML_W14 " xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" "           \
            "mc:Ignorable=\"w14\""

/* Twentieths of a point, and English metric units, clamped to Word's limits. */
int units_twips(float points);
int64_t units_emu(float points);
