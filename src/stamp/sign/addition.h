/*
 * addition: what an update adds to pages: forms that are drawn after their content, and
 * annotations. Each page is written once, with all of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/content/balance.h"
#include "pdf/object/obj.h"
#include "pdf/update/update.h"

struct addition {
    struct obj page;
    struct buf content;     /* operators */
    struct buf names;       /* the forms that the operators name: "/Mark12 12 0 R" */
    struct buf annots;      /* references, "13 0 R " */
    size_t n_marks;         /* of the annotations, those that are not fields */
    struct balance balance; /* of the page's content, once it was measured */
    bool measured;
};

struct additions {
    struct addition *items;
    size_t n, cap;
};

/* The one of a page, made if there is none; NULL when out of memory. Valid until the next call. */
struct addition *addition_of(struct additions *additions, struct obj page, struct err *err);
/* Whether operators can be added to the page's content, so that what it leaves open does not change
 * what they draw; else an annotation shows the same. ERR_LIMIT_EXCEEDED. */
int addition_can_draw(struct addition *addition, bool *can, struct err *err);
/* Draws the form with that object number, with a matrix in the coordinates of the content. */
int addition_draw(struct addition *addition, int form, const double matrix[static 6],
                  struct err *err);
/* Adds an annotation with that object number. */
void addition_annotate(struct addition *addition, int number);

/* Writes the pages. `fields`: the array of the form's fields, which some documents use for
 * annotations as well. */
int addition_write_all(struct additions *additions, struct update *update, struct obj fields,
                       struct err *err);
void addition_free_all(struct additions *additions);
