/* shown: the letters that the pages of a PDF show, in the order of its content. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "pdf/object/obj.h"

#define SHOWN_BYTES (64U << 20) /* no more letters are read */

/* Appends the letters and digits of all pages, folded (engine/office_text/folded.h): also of forms,
 * of annotations, and of text that replaces what is drawn. *whole: false if a page or a part of
 * it could not be read, or there are more than SHOWN_BYTES. ERR_INTERNAL. */
int shown_letters(qpdf_data q, size_t n_pages, struct buf *letters, bool *whole, struct err *err);
