/* redact_orphan: pages outside of the page tree, which no reader shows: what has a destination of
 * its own, or is a template of a form, stays in a file without being one of its pages. */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "engine/redact/redact_edit.h"

struct redact_orphans {
    int *numbers; /* of the objects */
    size_t n, cap;
};

/* Lists them. ERR_LIMIT_EXCEEDED without memory. */
int redact_orphan_list(struct redact_orphans *orphans, struct pdf_doc *doc, struct err *err);
void redact_orphan_free(struct redact_orphans *orphans);
/* Sets *has if one of the texts is in the content of the page, or if that cannot be read. */
int redact_orphan_search(struct redact_edit *edit, struct obj page, struct redact_words *words,
                         bool *has, struct err *err);
/* Removes those that have one of the texts from the document; *n: how many. */
int redact_orphan_remove(struct redact_edit *edit, struct redact_words *words, uint64_t *n,
                         struct err *err);
