/* layer_state: which layers (optional content groups, ISO 32000-2, 8.11) a document shows when it
 * is opened: by its default configuration, as pages are drawn
 * (engine/mupdf_content/patch_optional_content.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

struct layer_state {
    struct idmap known; /* from ids of the document's groups to whether they are shown */
    struct obj intent;  /* of the configuration (8.11.2.3), or null */
    size_t n, n_hidden; /* numbers of groups, and of those that are not shown */
};

/* Reads the catalog's /OCProperties. */
int layer_state_read(struct layer_state *state, struct obj properties, struct err *err);
void layer_state_free(struct layer_state *state);
#define AUTO_LAYER_STATE __attribute__((cleanup(layer_state_free)))

bool layer_state_hides_group(const struct layer_state *state, struct obj group);
/* Whether what belongs to a group, or to a membership dictionary (8.11.2.2), is not shown. */
bool layer_state_hides(const struct layer_state *state, struct obj oc);
/* Whether a membership dictionary is shown or not by the state of a group that is not shown. */
bool layer_state_needs_hidden(const struct layer_state *state, struct obj oc);
