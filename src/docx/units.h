/* units: what parts of a Word document (ECMA-376, Part 1) are written with. Measures are whole
 * numbers, as Word wants them. */
#pragma once

#include <stdint.h>

#include "opc/xml.h"

#define XML_W "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\""

/* Twentieths of a point, and English metric units; within what Word takes. */
int xml_twips(float points);
int64_t xml_emu(float points);
