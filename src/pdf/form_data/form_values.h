/*
 * form_values: the values that clients give for the fields of a form, in rows: each row fills in
 * one document.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define FORM_ROWS       10000   /* limit of the rows, each of which makes a document */
#define FORM_ROW_VALUES 200000  /* limit of the values of a row */
#define FORM_VALUES     1000000 /* limit of the values of all rows */
#define FORM_DEPTH      64      /* limit of how deep names are nested */

enum form_value_type {
    FORM_VALUE_CLEAR, /* null: the field becomes empty */
    FORM_VALUE_TRUE,  /* of a check box */
    FORM_VALUE_FALSE,
    FORM_VALUE_TEXTS, /* one, or several of a list box */
};

struct form_value {
    char *name; /* full name of the field, UTF-8 */
    enum form_value_type type;
    char **texts; /* UTF-8 */
    size_t n;
};

struct form_row {
    struct form_value *items;
    size_t n, cap;
};

struct form_values {
    struct form_row *rows;
    size_t n, cap;
    size_t n_values;
};

void form_values_free(struct form_values *values);
#define AUTO_FORM_VALUES __attribute__((cleanup(form_values_free)))

/* Begins a row. */
int form_values_row(struct form_values *values, struct err *err);
/* Adds a value to the last row; NULL with `err` filled in beyond the limits. `name` is UTF-8. */
struct form_value *form_values_add(struct form_values *values, const char *name, size_t n,
                                   enum form_value_type type, struct err *err);
/* Adds a text of n bytes of UTF-8 to a value, which becomes FORM_VALUE_TEXTS. */
int form_value_text(struct form_value *value, const char *text, size_t n, struct err *err);
/* Sets ERR_INVALID_PARAMETER for the field "data". */
__attribute__((format(printf, 2, 3))) int form_values_wrong(struct err *err, const char *fmt, ...);
