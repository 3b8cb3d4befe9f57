/* image_dict: what the dictionaries of images say, for all who read or change samples. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pdf/obj.h"

/* Whether the filter of this name (ISO 32000-2, 7.4) keeps all data: obj_stream_data decodes it. */
bool image_dict_is_lossless(struct obj filter);
/* What the Decode array (8.9.5.2) maps the least and the largest sample of a component to;
 * *low and *high stay where it says nothing. */
void image_dict_decode(struct obj image, size_t component, double *low, double *high);
