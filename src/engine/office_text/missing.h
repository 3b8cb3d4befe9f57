/* missing: the words of an OOXML document that its PDF does not show, such as those of a shape that
 * LibreOffice does not draw or of a table that it loses when it lays out the pages. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "engine/office_text/wanted.h"
#include "pdf/object/obj.h"

struct missing {
    size_t n;         /* words */
    struct buf words; /* the first of them, with blanks between them */
    struct buf place; /* of the first, such as "slide 3" */
    size_t more;      /* other places with such words */
};

/* Compares the words of the document at `path` (wanted.h) with the letters of the PDF (shown.h): a
 * word is there if its letters follow each other anywhere. None is missing where the PDF could not
 * be read as a whole, nor after more of it was compared than takes a second or two. The caller
 * calls missing_free. */
int missing_words(const char *path, const struct wanted *what, qpdf_data q, size_t n_pages,
                  struct missing *out, struct err *err);
void missing_free(struct missing *missing);
