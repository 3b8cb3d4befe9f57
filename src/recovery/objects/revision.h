/* revision: the parts of a file that end a revision of a document (ISO 32000-1, 7.5.4 to 7.5.6). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "syntax/pdf/syntax.h"

/* Whether the header of an object is at `s`; the end of the file may have cut its last word. */
bool revision_is_header(struct syntax s);
/* Whether a cross-reference table is. */
bool revision_is_table(struct syntax s);
/* Whether a cross-reference table, or a stream that is one, is. */
bool revision_is_start(struct syntax s);
/* Where the revision ends whose "startxref" is at `at`, in a document that begins at `header`. 0:
 * its startxref does not lead to a cross-reference table. */
size_t revision_end(const unsigned char *file, size_t n, size_t header, size_t at);
