/* json_values: values of a document as JSON. */
#pragma once

#include <jansson.h>

#include "pdf/object/obj.h"

/* A text string as UTF-8, the name after its slash; NULL for other objects. */
json_t *json_values_text(struct obj text);
json_t *json_values_name(struct obj name);
/* The same as a member, if there is one. */
void json_values_set_text(json_t *object, const char *member, struct obj dict, const char *key);
void json_values_set_name(json_t *object, const char *member, struct obj dict, const char *key);
/* A date of a dictionary as ISO 8601, or as it is if it cannot be read. */
void json_values_set_date(json_t *object, const char *member, struct obj dict, const char *key);
/* A number, in hundredths. */
json_t *json_values_number(double value);
/* An array of four numbers; NULL for other objects. */
json_t *json_values_box(struct obj array);
