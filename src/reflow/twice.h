/*
 * twice: text that is drawn a second time, a little aside, to look bold or to throw a shadow.
 */
#pragma once

#include "base/err.h"
#include "page/sheet.h"

/* Takes glyphs away that another one of the same character is drawn over, so near that it can be
 * no other letter. What is seen stays before what is not. ERR_LIMIT_EXCEEDED for memory. */
int twice_drop(struct sheet *sheet, struct err *err);
