/* accents: marks that are drawn over, under or through a character, as TeX has them, are its. */
#pragma once

#include "page/sheet.h"

/* Makes one character of both, or a combining one of the mark (Unicode Standard, 3.6 and 3.11). */
void accents_join(struct sheet *sheet);
