/* form_state: the states of check boxes and radio buttons (ISO 32000-2, 12.7.5.2). */
#pragma once

#include "base/err.h"
#include "pdf/form_data/form_fields.h"
#include "pdf/form_data/form_values.h"

/* Sets the state of a check box or of radio buttons, and makes appearances of states that have
 * none. Errors as for form_set. */
int form_state_set(struct form_fields *fields, struct form_field *field,
                   const struct form_value *value, struct err *err);
