/* spaced: words whose letters stand apart, as in headings: they are words, and not letters. */
#pragma once

#include "page/sheet.h"

/* Takes away what an engine, or a typist, put between letters of such words, and lets each letter
 * reach to the next one. */
void spaced_join(struct sheet *sheet);
