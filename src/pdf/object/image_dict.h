/* image_dict: reads entries of the dictionaries of images that all code for samples needs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pdf/object/obj.h"

/* Whether the filter of this name (ISO 32000-2, 7.4) keeps all data: obj_stream_data decodes it. */
bool image_dict_is_lossless(struct obj filter);
/* Sets *low and *high to the values to which the Decode array (8.9.5.2) maps the least and the
 * largest sample of a component. They are unchanged if the array has no such numbers. */
void image_dict_decode(struct obj image, size_t component, double *low, double *high);
