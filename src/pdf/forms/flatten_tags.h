/* flatten_tags: removes flattened widgets from the structure tree (ISO 32000-2, 14.7). */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

struct flatten_tags {
    struct key_map widgets; /* object numbers of the widgets and of their fields */
    int64_t *gone;          /* the keys of `widgets`, in the order in which they were added */
    size_t n_gone, cap_gone;
    struct key_map parents; /* keys of the widgets in the parent tree (ISO 32000-2, 14.7.5.4) */
};

/* Records a widget that is to be removed, and its fields. */
void flatten_tags_note(struct flatten_tags *tags, struct obj widget);
/* Removes the recorded widgets from the structure, and empties them, so that their values are
 * not written to the file. */
int flatten_tags_remove(struct flatten_tags *tags, struct pdf_doc *doc, struct err *err);
void flatten_tags_free(struct flatten_tags *tags);
#define AUTO_FLATTEN_TAGS __attribute__((cleanup(flatten_tags_free)))
