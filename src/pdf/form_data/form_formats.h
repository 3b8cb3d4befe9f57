/*
 * form_formats: the readers of values: JSON (RFC 8259), XFDF (ISO 19444-1), FDF (ISO 32000-2,
 * 12.7.8), CSV (RFC 4180). Errors as for form_values_read (form_read.h).
 */
#pragma once

#include "pdf/form_data/form_values.h"

int form_json_read(struct form_values *values, const char *bytes, size_t n, struct err *err);
int form_xfdf_read(struct form_values *values, const char *bytes, size_t n, struct err *err);
int form_fdf_read(struct form_values *values, const char *bytes, size_t n, struct err *err);
int form_csv_read(struct form_values *values, const char *bytes, size_t n, struct err *err);
