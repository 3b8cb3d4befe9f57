/* workflow_form: a workflow as clients send it and see it: JSON. */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "data/store/store_workflows.h"
#include "sandbox/worker/catalog.h"

#define WORKFLOW_FORM_BYTES ((size_t) 96 * 1024) /* limit of the JSON that describes a workflow */
#define WORKFLOW_NAME       100                  /* limit of the characters of its name */

/* What the steps are checked against. */
struct workflow_rules {
    const struct catalog *catalog;
    const struct key *key; /* which must be allowed to use each tool */
    bool authority;        /* a time stamp authority is configured */
};

/* Reads a workflow from JSON: fills its name, its steps in canonical form, and its position (-1: it
 * is not given). Fails with the error that the reference lists. */
int workflow_form_read(const struct buf *text, const struct workflow_rules *rules,
                       struct store_workflow *workflow, struct err *err);
/* The workflow as JSON, with what its steps need from a run, or why they cannot be run now. */
json_t *workflow_form_show(const struct store_workflow *workflow,
                           const struct workflow_rules *rules);
