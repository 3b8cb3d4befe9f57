/* form_calculate: calculates the fields of a form that depend on others (ISO 32000-2, 12.7.3, /CO),
 * as far as their scripts are standard functions (form_script.h). */
#pragma once

#include "base/err.h"
#include "pdf/form_data/form_fields.h"

/*
 * Calculates the fields in the form's order. changed[i], for each field: set where the value is
 * new. *left is the number of fields whose script is not a standard function; `first`, if not NULL,
 * gets the name of the first of them (borrowed). Fields that `given` has keep their values.
 */
int form_calculate(struct form_fields *fields, const bool *given, bool *changed, size_t *left,
                   const char **first, struct err *err);
