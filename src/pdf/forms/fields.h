/*
 * fields: the tree of form fields (ISO 32000-2, 12.7.4) as seen from its widgets, so that a part of
 * a document gets the fields of its pages and no others.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/depth.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

#define FIELD_NONE SIZE_MAX

struct fields {
    struct field {
        struct obj item;
        size_t parent; /* index of the field above it; FIELD_NONE: it is a root */
    } * items;
    size_t n, cap;
    struct idmap known; /* from ids of fields to indexes in items */
    struct idmap roots; /* from ids in the form's /Fields to their positions there */
    struct obj order;   /* the form's /CO, or null */
    struct depth *depth;
};

/* Reads the fields of the document. `depth` is borrowed until fields_free. ERR_LIMIT_EXCEEDED when
 * out of memory. */
int fields_read(struct fields *fields, qpdf_data q, struct depth *depth, struct err *err);
void fields_free(struct fields *fields);

/*
 * Removes the parents and kids of a widget, and of all fields above it, in memory. *field: the
 * field right above it, or FIELD_NONE. Values of signatures, which are not valid any more, lose
 * what may refer to the whole document.
 */
int fields_cut(struct fields *fields, struct obj widget, size_t *field, struct err *err);

/* The fields of one part. */
struct fields_part {
    const struct fields *fields;
    /* from ids of widgets and fields in their document to indexes in items */
    struct idmap included;
    struct fields_placed {
        size_t order;    /* position of a root in the form; IDMAP_NONE: not in it */
        struct obj item; /* in the part */
    } * items;
    size_t n, cap;
};

/* Adds a widget that was cut and copied. */
int fields_part_add(struct fields_part *part, struct obj widget, size_t field, struct obj copy,
                    struct err *err);
/* Sets /Fields and /CO of `form`, a dictionary of the part. False if there are none. */
bool fields_part_end(struct fields_part *part, struct obj form);
void fields_part_free(struct fields_part *part);
