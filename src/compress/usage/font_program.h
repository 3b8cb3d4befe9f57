/* font_program: finds the embedded program of a font (ISO 32000-2, 9.9). */
#pragma once

#include "pdf/object/obj.h"

/* The program of a font, or of the descendant of a composite one; null if it has none. */
struct obj font_program(struct obj font);
/* The program that the font's own descriptor has; null if it has none. */
struct obj font_program_own(struct obj font);
