/* media_type: the media types of the files that pages are made of. */
#pragma once

#include <stddef.h>

/* The media type of a file by its name, as a header has it: with "; charset=utf-8" for text that is
 * UTF-8 and does not say which character set it has. Borrowed, lives for ever. */
const char *media_type_of(const char *name, const char *data, size_t n);
