#include "server/api_submit/workflow_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/text.h"
#include "sandbox/worker/pipeline_run.h"
#include "server/api_call/answer.h"
#include "server/api_submit/key_form.h"

#define POSITION_MOST 1000000
#define STEPS_MOST    65536

static int read_workflow_name(const json_t *value, struct store_workflow *workflow, struct err *err)
{
    const char *name = json_string_value(value);
    size_t characters;

    if (!name || !text_count(name, strlen(name), &characters) || characters == 0 ||
        characters > WORKFLOW_NAME || text_is_blank(name) || !text_is_line(name))
        return err_field(err, ERR_INVALID_PARAMETER, "name",
                         "name must be one line of text of 1 to %d characters", WORKFLOW_NAME);
    workflow->name = strdup(name);
    return workflow->name ? 0 : err_sys(err, "name");
}

static int read_position(const json_t *value, struct store_workflow *workflow, struct err *err)
{
    workflow->position = value ? json_integer_value(value) : -1;
    if (!value ||
        (json_is_integer(value) && workflow->position >= 0 && workflow->position <= POSITION_MOST))
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, "position",
                     "position must be a whole number from 0 to %d", POSITION_MOST);
}

static int read_steps(const json_t *value, const struct workflow_rules *rules,
                      struct store_workflow *workflow, struct err *err)
{
    AUTO_FREE char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    struct pipeline *pipeline;
    int done;

    if (!text)
        return err_sys(err, "steps");
    pipeline =
        pipeline_run_plan_stored(rules->catalog, text, rules->authority, &workflow->steps, err);
    explicit_bzero(text, strlen(text)); /* it may hold a secret, which was refused */
    if (!pipeline)
        return -1;
    done = key_form_check_steps(rules->key, pipeline, err);
    pipeline_free(pipeline);
    if (done == 0 && strlen(workflow->steps) > STEPS_MOST)
        done = err_field(err, ERR_INVALID_PARAMETER, "steps",
                         "the steps of a workflow have at most %d bytes", STEPS_MOST);
    return done;
}

static int read_members(json_t *json, const struct workflow_rules *rules,
                        struct store_workflow *workflow, struct err *err)
{
    static const char *const known[] = { "name", "steps", "position" };
    const char *key;
    json_t *value;

    if (!json_is_object(json))
        return err_set(err, ERR_INVALID_REQUEST,
                       "send a JSON object with name (text), steps (a list) and, if you like, "
                       "position (a number)");
    json_object_foreach(json, key, value)
    {
        struct param_input given = { key, "" };
        bool found = false;

        for (size_t i = 0; i < COUNT(known); i++)
            found = found || strcmp(key, known[i]) == 0;
        if (!found)
            return param_check_all(NULL, 0, &given, 1, err);
    }
    for (size_t i = 0; i < 2; i++)
        if (!json_object_get(json, known[i]))
            return err_field(err, ERR_MISSING_FIELD, known[i], "the field %s is missing", known[i]);
    if (read_workflow_name(json_object_get(json, "name"), workflow, err) < 0 ||
        read_position(json_object_get(json, "position"), workflow, err) < 0)
        return -1;
    return read_steps(json_object_get(json, "steps"), rules, workflow, err);
}

int workflow_form_read(const struct buf *text, const struct workflow_rules *rules,
                       struct store_workflow *workflow, struct err *err)
{
    json_t *json = json_loadb(buf_text(text), text->len, JSON_REJECT_DUPLICATES, NULL);
    int done = read_members(json, rules, workflow, err);

    json_decref(json);
    return done;
}

/* The fields that a run has to bring, as it names them. */
static json_t *list_needs(const struct pipeline *pipeline)
{
    const char *names[PIPELINE_AWAITED];
    json_t *list = json_array();

    for (size_t i = 0; i < pipeline->n; i++) {
        size_t n = pipeline_awaited(pipeline, i, names);

        for (size_t k = 0; k < n; k++)
            json_array_append_new(list, json_sprintf("steps[%zu].%s", i, names[k]));
    }
    return list;
}

static void show_state(json_t *object, const struct store_workflow *workflow,
                       const struct workflow_rules *rules)
{
    struct err err;
    struct pipeline *pipeline =
        pipeline_run_plan_stored(rules->catalog, workflow->steps, rules->authority, NULL, &err);

    if (pipeline)
        json_object_set_new(object, "needs", list_needs(pipeline));
    else
        json_object_set_new(
            object, "problem",
            json_pack("{ss ss ss}", "code", err_name(err.code), "message",
                      err.code == ERR_INTERNAL ? "the steps cannot be checked" : err.msg, "field",
                      err.field));
    pipeline_free(pipeline);
}

json_t *workflow_form_show(const struct store_workflow *workflow,
                           const struct workflow_rules *rules)
{
    json_t *object =
        json_pack("{ss ss so sI sI}", "workflowId", workflow->id, "name", workflow->name, "steps",
                  json_loads(workflow->steps, 0, NULL), "position", (json_int_t) workflow->position,
                  "version", (json_int_t) workflow->version);

    if (!object)
        return NULL;
    show_state(object, workflow, rules);
    answer_set_time(object, "createdAt", workflow->created_at);
    answer_set_time(object, "updatedAt", workflow->updated_at);
    return object;
}
