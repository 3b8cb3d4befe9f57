/*
 * workflow_fields: the fields by which a submission to the tool pipeline runs a workflow of its
 * account (data/store/store_workflows.h) instead of steps of its own: `workflow`, an id, and fields
 * such as `steps[1].password`, which set a parameter of a step for this run. Secrets of steps come
 * only so.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/id.h"
#include "data/store/store.h"
#include "declare/tool/tool.h"

struct workflow_fields {
    char id[ID_TEXT]; /* "": not given */
    json_t *values;   /* by the names of their fields; NULL: none */
};

/* Whether the field with this name is one of them. */
bool workflow_fields_has(const char *name);
/* Checks and stores a value of n bytes. ERR_INVALID_PARAMETER, also for a field that is given
 * twice; ERR_UNKNOWN_FIELD if the tool is another one than pipeline. */
int workflow_fields_read(struct workflow_fields *fields, const struct tool *tool, const char *name,
                         const char *value, size_t n, struct err *err);
/*
 * The steps of the account's workflow with the values of this run, as the field `steps` would have
 * them; the caller erases and frees them. They are still to be validated. NULL if no workflow is
 * named. `other`: the request has steps of its own. ERR_WORKFLOW_NOT_FOUND, ERR_INVALID_PARAMETER,
 * ERR_MISSING_FIELD.
 */
int workflow_fields_steps(const struct workflow_fields *fields, struct store *store,
                          int64_t account, bool other, char **steps, struct err *err);
void workflow_fields_free(struct workflow_fields *fields);
