/* form_export: the values of a form as XFDF (ISO 19444-1), FDF (ISO 32000-2, 12.7.8) or CSV, as
 * fill-form reads them. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/form_data/form_fields.h"

enum form_export { FORM_EXPORT_XFDF, FORM_EXPORT_FDF, FORM_EXPORT_CSV };

/* Writes the values of all fields but buttons, signatures and passwords to an existing file.
 * *left_out: the number of values that are not written, because their fields have no names, or
 * names that are not unique. ERR_LIMIT_EXCEEDED, ERR_STORAGE_FULL. */
int form_export_write(const struct form_fields *fields, enum form_export format, const char *path,
                      size_t *left_out, struct err *err);
