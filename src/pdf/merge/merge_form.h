/* merge_form: data about the form of one file, collected while it is added. */
#pragma once

#include "pdf/merge/merge_part.h"

struct merge_form {
    struct key_map own; /* the fully qualified names in the file */
    struct key_map seen;
    struct merge_note *notes; /* the names of its fields in the result */
    size_t n_notes, cap_notes;
    int *below; /* for each of `roots`: the field of the result that becomes its parent, 0: none */
    size_t n_below, cap_below;
    /* Object numbers of arrays of the source, in the bag: the root fields, the fields that have
     * nothing but kids, and the fields with a default appearance (/DA). */
    int roots, holders, speakers;
};

/* A name of a field; a field that only has kids is item `at` of `holders`, else at is -1. */
struct merge_note {
    struct buf name;
    int at;
};

struct merge_form *merge_form_new(struct merge_source *s, struct err *err);
void merge_form_free(struct merge_form *form);
/* Appends "parent.title", or the parent alone if there is no title. */
void merge_form_qualify(struct buf *out, const char *parent, struct obj title);
/* Whether the field has nothing but kids that have names of their own. */
bool merge_form_holds(struct obj field);

/* Collects the names of a field and its descendants in `own`. */
int merge_form_own(struct merge_form *form, struct obj field, const char *parent, struct err *err);
/* Records in s->fields that the fields below one called `old` are now below one called `new`. */
int merge_form_renamed_below(struct merge_source *s, struct obj field, const char *old,
                             const char *new, struct err *err);
/* Records a field's name for later files. */
int merge_form_note(struct merge_source *s, const struct buf *name, struct obj field,
                    struct err *err);
/* Makes the field a root, or a kid of that field of the result. */
int merge_form_place(struct merge_source *s, struct obj field, int below, struct err *err);

/* merge_resources.c: merges the resources that the fields' default appearances name into one
 * dictionary. A name that is used for something else is replaced in the fields of this file. */
int merge_resources(struct merge *m, struct merge_source *s, struct err *err);
