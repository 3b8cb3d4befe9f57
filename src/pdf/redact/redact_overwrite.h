/* redact_overwrite: texts in data whose length and structure must stay: what pictures, colour
 * profiles, sounds and models say of themselves, as ASCII, UTF-8 or UTF-16. */
#pragma once

#include <stddef.h>

#include "pdf/object/obj.h"
#include "pdf/redact/redact_words.h"

/* Overwrites each of the texts with characters "*" of the same number of bytes. Returns how many
 * there were. */
size_t redact_overwrite_data(struct redact_words *words, unsigned char *data, size_t n);
/* The same in what the data of a stream say of themselves: a JPEG image in its comments, Exif, XMP
 * and profiles, one of JPEG 2000 in all boxes but its code stream, another picture nowhere, and any
 * other stream everywhere. Data that cannot be read stay. With only_count nothing is changed. */
size_t redact_overwrite_stream(struct redact_words *words, struct obj stream, bool only_count);
/* The same in the names that the program of a font descriptor has for itself; 0 for any other
 * object. */
size_t redact_overwrite_font(struct redact_words *words, struct obj descriptor, bool only_count);
