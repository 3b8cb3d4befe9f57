/* json_text: reads a value that is JSON. */
#pragma once

#include <jansson.h>

#include "base/err.h"

/* The value of the field `name`, which the caller owns. NULL with ERR_INVALID_PARAMETER, which says
 * in which line it is wrong; a name that occurs twice in an object is wrong. */
json_t *json_text_read(const char *name, const char *text, struct err *err);
