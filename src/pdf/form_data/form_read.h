/* form_read: reads the values for a form in the format that they are in. */
#pragma once

#include "base/buf.h"
#include "pdf/form_data/form_values.h"

/*
 * Reads values; the format is found by how the bytes begin. ERR_INVALID_PARAMETER with the field
 * "data" says what is wrong and where; ERR_LIMIT_EXCEEDED.
 */
int form_values_read(struct form_values *values, const struct buf *bytes, struct err *err);
