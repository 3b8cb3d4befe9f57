/* merge_form: what is gathered about the form of one file while it is taken. */
#pragma once

#include "pdf_merge/merge_part.h"

struct merge_form {
    struct key_map own; /* the fully qualified names the file has, as it came */
    struct key_map seen;
    struct key_map stripped;  /* signature fields that lost their signature, and their widgets */
    struct merge_note *notes; /* the names its fields have in the result */
    size_t n_notes, cap_notes;
    int *below; /* for each of `roots`: the field of the result it goes below, 0: none */
    size_t n_below, cap_below;
    int roots, holders, speakers; /* arrays of the source, in the bag */
    size_t n_signatures;
};

/* A name of a field; a field that only holds others is item `at` of `holders`, else at is -1. */
struct merge_note {
    struct buf name;
    int at;
};

struct merge_form *merge_form_new(struct merge_source *s, struct err *err);
void merge_form_free(struct merge_form *form);
/* Appends "parent.title", or the parent alone where there is no title. */
void merge_form_qualify(struct buf *out, const char *parent, struct obj title);
/* Whether all the field has is fields below it that have names of their own. */
bool merge_form_holds(struct obj field);

/* Gathers the names of a field and those below into `own`. */
int merge_form_own(struct merge_form *form, struct obj field, const char *parent, struct err *err);
/* Tells s->fields that the fields below one called `old` are now below one called `new`. */
int merge_form_renamed_below(struct merge_source *s, struct obj field, const char *old,
                             const char *new, struct err *err);
/* Notes a field's name for the files to come. */
int merge_form_note(struct merge_source *s, const struct buf *name, struct obj field,
                    struct err *err);
/* The field becomes a root, or goes below that field of the result. */
int merge_form_place(struct merge_source *s, struct obj field, int below, struct err *err);

/* Takes the signature out of a signature field: any rewriting breaks it. */
void merge_form_unsign(struct merge_source *s, struct obj field);
/* The look of a widget of such a field becomes a stamp, as viewers show a field to sign in their
 * own way. Null for other widgets. */
struct obj merge_form_stamp(struct merge_source *s, struct obj widget);

/* merge_resources.c: the resources that the fields' default appearances name, in one dictionary.
 * What has the name of something else gets another, and the fields of this file say so. */
int merge_resources(struct merge *m, struct merge_source *s, struct err *err);
