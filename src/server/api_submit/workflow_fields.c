#include "server/api_submit/workflow_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "data/store/store_workflows.h"
#include "declare/tool/pipeline.h"
#include "declare/value/text.h"

#define WORKFLOW "workflow"
#define OF_STEP  "steps["

bool workflow_fields_has(const char *name)
{
    return strcmp(name, WORKFLOW) == 0 || strncmp(name, OF_STEP, strlen(OF_STEP)) == 0;
}

/* Reads the name of a field such as steps[1].password: the number of the step and its parameter. */
static bool read_place(const char *name, size_t *step, const char **param)
{
    const char *digits = name + strlen(OF_STEP), *end = strstr(digits, "].");
    int64_t number;

    if (!end || !end[2] ||
        !num_parse_i64(digits, (size_t) (end - digits), 0, PIPELINE_STEPS - 1, &number))
        return false;
    *step = (size_t) number;
    *param = end + 2;
    return true;
}

static int read_id(struct workflow_fields *fields, const char *value, size_t n, struct err *err)
{
    if (*fields->id)
        return err_field(err, ERR_INVALID_PARAMETER, WORKFLOW, WORKFLOW " is given twice");
    if (strlen(value) != n || !id_is_valid(value))
        return err_field(err, ERR_INVALID_PARAMETER, WORKFLOW,
                         WORKFLOW " must be the id of a workflow of the account: GET "
                                  "/api/v1/workflows lists them");
    snprintf(fields->id, sizeof fields->id, "%s", value);
    return 0;
}

static int read_step_value(struct workflow_fields *fields, const char *name, const char *value,
                           size_t n, struct err *err)
{
    char shown[80];
    const char *param;
    json_t *text;
    size_t step;

    text_for_message(name, strlen(name), shown, sizeof shown);
    if (!read_place(name, &step, &param) || strcmp(name, shown) != 0)
        return err_field(err, ERR_INVALID_PARAMETER, shown,
                         "a value for a step of a workflow is named steps[NUMBER].PARAMETER, and "
                         "the first step has the number 0");
    if (json_object_get(fields->values, name))
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s is given twice", name);
    text = strlen(value) == n ? json_stringn(value, n) : NULL;
    if (!text)
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s is not a text in UTF-8 without NUL bytes", name);
    if (!fields->values)
        fields->values = json_object();
    return json_object_set_new(fields->values, name, text) < 0
               ? err_set(err, ERR_INTERNAL, "out of memory")
               : 0;
}

int workflow_fields_read(struct workflow_fields *fields, const struct tool *tool, const char *name,
                         const char *value, size_t n, struct err *err)
{
    char shown[80];

    text_for_message(name, strlen(name), shown, sizeof shown);
    if (tool != &pipeline_tool)
        return err_field(err, ERR_UNKNOWN_FIELD, shown,
                         "%s has no steps: send %s to the tool " PIPELINE_NAME, tool->name, shown);
    return strcmp(name, WORKFLOW) == 0 ? read_id(fields, value, n, err)
                                       : read_step_value(fields, name, value, n, err);
}

/* Puts the values of the run into the steps. */
static int put_values(const struct workflow_fields *fields, json_t *steps, struct err *err)
{
    const char *name, *param = "";
    json_t *value;

    json_object_foreach(fields->values, name, value)
    {
        json_t *params;
        size_t step = 0;

        read_place(name, &step, &param);
        params = json_object_get(json_array_get(steps, step), "params");
        if (!params)
            return err_field(err, ERR_INVALID_PARAMETER, name,
                             "the workflow has %zu steps, and the first has the number 0",
                             json_array_size(steps));
        if (json_object_set(params, param, value) < 0)
            return err_sys(err, WORKFLOW);
    }
    return 0;
}

static int write_steps(const struct workflow_fields *fields, const char *stored, char **steps,
                       struct err *err)
{
    json_t *list = json_loads(stored, 0, NULL);
    int done = list ? put_values(fields, list, err)
                    : err_set(err, ERR_INTERNAL, "a stored workflow cannot be read");

    if (done == 0 && !(*steps = json_dumps(list, JSON_COMPACT)))
        done = err_sys(err, WORKFLOW);
    json_decref(list);
    return done;
}

int workflow_fields_steps(const struct workflow_fields *fields, struct store *store,
                          int64_t account, bool other, char **steps, struct err *err)
{
    AUTO_WORKFLOW struct store_workflow workflow = { 0 };
    const char *first =
        fields->values ? json_object_iter_key(json_object_iter(fields->values)) : "";

    *steps = NULL;
    if (!*fields->id)
        return fields->values
                   ? err_field(err, ERR_MISSING_FIELD, WORKFLOW,
                               "%s sets a value of a workflow: name it in the field workflow, or "
                               "put the value into steps",
                               first)
                   : 0;
    if (other)
        return err_field(err, ERR_INVALID_PARAMETER, WORKFLOW,
                         "send either workflow or steps: both say what is to be done");
    if (store_workflow_find(store, fields->id, account, &workflow, err) < 0)
        return -1;
    return write_steps(fields, workflow.steps, steps, err);
}

void workflow_fields_free(struct workflow_fields *fields)
{
    const char *name;
    json_t *value;

    json_object_foreach(fields->values, name, value)
    {
        explicit_bzero((char *) (uintptr_t) json_string_value(value), json_string_length(value));
    }
    json_decref(fields->values);
    *fields = (struct workflow_fields){ 0 };
}
