/*
 * font_pack: shrinks the CFF font subsets (ISO 32000-2, 9.9, FontFile3) that cairo writes. cairo
 * keeps an entry for every subroutine of the whole font, used or not: tens of thousands of offsets
 * that increase by one, which deflate compresses badly and a predictor very well.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/obj.h"

/* Shrinks all such fonts of a document that was just read. ERR_LIMIT_EXCEEDED when out of
 * memory. */
int font_pack_all(qpdf_data q, struct err *err);
