/* tiff_fax: CCITT fax data (ITU-T T.4 and T.6) of TIFF files, kept or encoded again. */
#pragma once

#include "image/import/tiff_page.h"

/* Whether to keep fax coding. False if the data would have to be encoded again and is larger than
 * the pixels. */
bool tiff_keeps_fax(TIFF *tiff, const struct tiff_page *page);
/* Makes fax data the picture's data: the page's own if it is in one strip, else encoded as Group
 * 4. Errors as image_next. */
int tiff_read_fax(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                  struct image *image, struct err *err);
