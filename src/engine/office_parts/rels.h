/* rels: the parts of a document that hold relationships (ECMA-376-2, 9.3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define RELS_BYTES      (4U << 20) /* the most that such a part may have */
#define RELS_NAME_BYTES 1024       /* of a part's name, with its NUL */

/* The part whose relationships an entry holds: "word/document.xml" of
 * "word/_rels/document.xml.rels". False: it holds those of no part, or its name is too long. */
bool rels_part(const char *name, char part[RELS_NAME_BYTES]);
