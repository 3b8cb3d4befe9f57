/* form_fill: fills in a form with the values of one row. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/form_data/form_fields.h"
#include "pdf/form_data/form_values.h"
#include "pdf/forms/field_painter.h"
#include "pdf/object/key_map.h"

struct form_fill {
    struct field_painter *painter;
    bool ignore_unknown; /* values of fields that the form does not have are left out */
    bool read_only;      /* all fields of the result are read-only */
    bool signed_;        /* the document has signatures, which must allow each change and stay */

    /* Results of the last document. */
    size_t filled, unknown;
    struct key_map changed; /* object numbers of the widgets that show a new value */
    struct obj *objects;    /* with `signed_`: all objects that were changed */
    size_t n_objects, cap;
};

/*
 * Sets the values of a row, calculates the fields that depend on them, and makes appearances. Warns
 * on `run` with `unknown_fields`, `value_not_drawn`, `line_breaks_joined`, `script_not_run` and
 * `xfa_removed`. ERR_INVALID_PARAMETER for the field "data" if a field is not there or cannot have
 * the value; ERR_UNSUPPORTED_CONTENT for a form that is only XFA, a document without a form, or a
 * change that a signature does not allow (12.8.2.2 and 12.8.2.4).
 */
int form_fill_row(struct form_fill *fill, struct pdf_doc *doc, const struct form_row *row,
                  struct tool_run *run, struct err *err);
void form_fill_free(struct form_fill *fill);
#define AUTO_FORM_FILL __attribute__((cleanup(form_fill_free)))
