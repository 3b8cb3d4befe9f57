/* tiff_fax: fax coding (ITU-T T.4 and T.6) in TIFF files, kept or made anew. */
#pragma once

#include "image_import/tiff.h"

bool tiff_is_fax(const struct tiff_page *page);
/* Whether it is to stay so: not what would have to be coded anew, and is larger than its pixels. */
bool tiff_keeps_fax(TIFF *tiff, const struct tiff_page *page);
/* Gives the picture its data in fax coding: the page's own if it stands in one strip, else Group 4.
 * Errors as image_next. */
int tiff_take_fax(struct image_file *file, TIFF *tiff, const struct tiff_page *page,
                  struct image *image, struct err *err);
