/*
 * xref_widths: rejects cross-reference streams whose fields are declared millions of bytes wide
 * (ISO 32000-2, 7.5.8.2, /W), for each of which MuPDF reads on past the end.
 */
#pragma once

#include <stdbool.h>

/* Whether the file at `path` has no such stream. False also if it cannot be read. */
bool xref_widths_are_sane(const char *path);
