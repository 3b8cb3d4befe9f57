/*
 * form_set: sets the value of one field (ISO 32000-2, 12.7.5), and makes the appearances of its
 * widgets.
 */
#pragma once

#include "base/err.h"
#include "pdf/form_data/form_fields.h"
#include "pdf/form_data/form_values.h"
#include "pdf/forms/field_painter.h"

/* Widgets whose values the painter draws. */
struct form_pictures {
    struct field_painter *painter;
    struct form_picture {
        struct obj widget;
        size_t number;
    } * items;
    size_t n, cap;
    size_t failed; /* widgets whose value cannot be drawn */
};

/*
 * Sets a value. ERR_INVALID_PARAMETER for the field "data" if the field of the form cannot have it:
 * the message names the field, and what it takes. *joined: line breaks in a field of one line
 * became blanks.
 */
int form_set(struct form_fields *fields, struct form_field *field, const struct form_value *value,
             bool *joined, struct err *err);

/* Makes the appearances of the widgets of a text field, a list or a combo box from its value, or
 * from `shown` if that is not NULL. */
int form_show(struct form_fields *fields, const struct form_field *field, const char *shown,
              struct form_pictures *pictures, struct err *err);
/* Puts the painter's pictures into the document. Frees the list. */
int form_pictures_end(struct form_pictures *pictures, qpdf_data q, struct err *err);
void form_pictures_free(struct form_pictures *pictures);
#define AUTO_FORM_PICTURES __attribute__((cleanup(form_pictures_free)))

/* The value of a field of one text as UTF-8, "" if it has none; of a button, its state. Appends to
 * `out`. */
void form_value_read(const struct form_field *field, struct buf *out);
