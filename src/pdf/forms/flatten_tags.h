/* flatten_tags: removes flattened annotations from the structure tree (ISO 32000-2, 14.7), and
 * flattened widgets from their fields. */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

struct flatten_tags {
    struct key_map widgets; /* object numbers of the widgets and of their fields */
    int64_t *gone;          /* the keys of `widgets`, in the order in which they were added */
    size_t n_gone, cap_gone;
    struct key_map kept;    /* object numbers of the widgets that stay, and of their fields */
    struct key_map parents; /* keys of the widgets in the parent tree (ISO 32000-2, 14.7.5.4) */
};

/* Records a widget that is to be removed, and its fields. */
void flatten_tags_note(struct flatten_tags *tags, struct obj widget);
/* Records a widget that stays, with its fields, which other widgets may have that go. */
void flatten_tags_keep(struct flatten_tags *tags, struct obj widget);
/* Whether an object is one that was recorded to be removed, and not one that stays. */
bool flatten_tags_goes(const struct flatten_tags *tags, struct obj object);
/* Removes the recorded widgets from the structure and from fields that stay, and empties them, so
 * that their values are not written to the file. */
int flatten_tags_remove(struct flatten_tags *tags, struct pdf_doc *doc, struct err *err);
void flatten_tags_free(struct flatten_tags *tags);
#define AUTO_FLATTEN_TAGS __attribute__((cleanup(flatten_tags_free)))
