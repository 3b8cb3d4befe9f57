/*
 * widths: cross-reference streams whose fields are said to be millions of bytes wide (ISO 32000-2,
 * 7.5.8.2, /W). MuPDF reads on behind the end for each of those bytes.
 */
#pragma once

#include <stdbool.h>

/* False if the file has such a stream, or cannot be read. */
bool xref_widths_are_sane(const char *path);
