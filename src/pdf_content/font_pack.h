/*
 * font_pack: makes the subsets of compact fonts (ISO 32000-2, 9.9, FontFile3) small that cairo
 * writes. It keeps an entry for every subroutine of the whole font, used or not: tens of thousands
 * of offsets that count up by one, which deflate makes little of and a predictor very much.
 */
#pragma once

#include "base/err.h"
#include "pdf/obj.h"

/* All such fonts of a document that was just read. ERR_LIMIT_EXCEEDED when out of memory. */
int font_pack_all(qpdf_data q, struct err *err);
