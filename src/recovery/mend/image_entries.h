/* image_entries: what the dictionary of an image says of its samples (ISO 32000-1, 8.9.5). */
#pragma once

#include "recovery/objects/objects.h"

/* A key's value, or 0 if it is not a number below 65536. */
unsigned image_number(const struct objects *objects, struct text dict, const char *key);
/* The components of its colour space, or of that one's profile; 0: unknown. */
unsigned image_components(const struct objects *objects, struct text dict);
/* The parameters of its last filter. */
struct text image_params(const struct objects *objects, struct text dict);
