/* metadata_json: what metadata say, as JSON. */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "pdf/properties/metadata.h"

/* A new object with title, author and so on, and `custom`. NULL when out of memory. */
json_t *metadata_json_values(const struct metadata *metadata);
/* The names of the standards that the document claims to conform to, such as "PDF/A-2b". */
json_t *metadata_json_claims(const struct metadata *metadata);
/* Appends all as text. ERR_LIMIT_EXCEEDED when out of memory. */
int metadata_json_write(const struct metadata *metadata, struct buf *out, struct err *err);
/* Appends a value as text, and releases it; NULL is an error. */
int metadata_json_dump(json_t *json, struct buf *out, struct err *err);
