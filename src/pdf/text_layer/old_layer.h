/*
 * old_layer: removes the text layer that a program made of a scanned page before: text that is not
 * seen (ISO 32000-2, 9.3.6, mode 3), in the page's content or in form XObjects. All that is seen,
 * and the marked content around the text, stays as it is.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/content/page_resources.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

/* State that the pages of a document share. Starts zeroed. */
struct old_layers {
    struct page_resources resources;
    struct key_map forms; /* from a form and the mode it is shown in to what it became */
};

/* Removes the text that is not seen. False in *removed: there is none that can be removed, or it
 * cannot all be: the page then looks and reads as before. What the page does not use any more stays
 * in its resources. ERR_LIMIT_EXCEEDED when out of memory. */
int old_layer_remove(struct old_layers *layers, struct obj page, bool *removed, struct err *err);
void old_layers_free(struct old_layers *layers);
