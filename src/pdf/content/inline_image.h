/* inline_image: the dictionaries of inline images, whose names may be abbreviated (ISO 32000-2,
 * 8.9.7, tables 91 and 92). */
#pragma once

#include "pdf/object/obj.h"

/* Parses the text after BI and before ID, and gives the keys their full names; other keys stay as
 * they are. Null if it is not a dictionary. */
struct obj inline_image_dict(qpdf_data q, const char *text, size_t n);
/* Copies the entries that inline images may have from `dict` to the dictionary of `image`. */
void inline_image_copy(struct obj dict, struct obj image);
/* The full name of a filter; anything else as it is. */
struct obj inline_image_filter(struct obj name);
