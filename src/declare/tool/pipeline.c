#include "declare/tool/pipeline.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declare/tool/input.h"
#include "declare/value/text.h"

#define STEPS "steps"
#define FIELD 80

static const struct param params[] = {
    { .name = STEPS,
      .help = "The tools, in order: a JSON list of {\"tool\": ..., \"params\": {...}}.",
      .type = PARAM_TEXT,
      .required = true,
      .min = 1,
      .max = 100000 },
};

const struct tool pipeline_tool = {
    .name = PIPELINE_NAME,
    .summary = "Runs several tools one after another: one upload, one job, one result.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .many = true,
    .min_files = 1,
    .max_files = 1000,
    .params = params,
    .n_params = COUNT(params),
};

/* Whether a tool accepts another's output: docx begins like a ZIP. */
static bool feeds(const struct tool *tool, const char *kind)
{
    bool package = kind && (strcmp(kind, "docx") == 0 || strcmp(kind, "xlsx") == 0);

    return tool_accepts(tool, kind) || (package && tool_accepts(tool, "zip"));
}

const char *pipeline_gives(const struct pipeline *pipeline, const struct tool *tool)
{
    return pipeline ? pipeline->steps[pipeline->n - 1].tool->gives : tool->gives;
}

const char *const *pipeline_gives_also(const struct pipeline *pipeline, const struct tool *tool)
{
    return pipeline ? pipeline->steps[pipeline->n - 1].tool->gives_also : tool->gives_also;
}

static int fail_at(size_t step, enum err_code code, const char *what, const char *message,
                   struct err *err)
{
    char field[FIELD];

    snprintf(field, sizeof field, STEPS "[%zu]%s%s", step, *what ? "." : "", what);
    return err_field(err, code, field, "%s", message);
}

/* Converts an error's field, a parameter of a step's tool, to the field of the request. */
static int at_step(size_t step, struct err *err)
{
    struct err inner = *err;

    return fail_at(step, inner.code, inner.field, inner.msg, err);
}

static const struct param_input *extra(const struct pipeline_source *source, const char *name)
{
    for (size_t i = 0; i < source->n_extra; i++)
        if (strcmp(source->extra[i].name, name) == 0)
            return &source->extra[i];
    return NULL;
}

/* The text of a JSON value as a form's field would have it; numbers and booleans are allowed.
 * NULL for other types; the caller frees it. */
static char *text_of(const json_t *value)
{
    if (json_is_string(value))
        return strdup(json_string_value(value));
    return json_is_number(value) || json_is_boolean(value) ? json_dumps(value, JSON_ENCODE_ANY)
                                                           : NULL;
}

static void free_text(const char *text)
{
    char *own = (char *) (uintptr_t) text;

    if (own)
        explicit_bzero(own, strlen(own));
    free(own);
}

/* Adds a canonical value and takes ownership of it. */
static void add_param(struct pipeline_step *step, const char *name, const char *value,
                      const struct tool_input *file)
{
    step->params[step->n_params++] = (struct param_input){ name, value, file };
}

/* In place of a secret that only a run of a stored pipeline brings: one of them is an address. */
#define SECRET_OF_RUN "https://secret-of-the-run.invalid/"

/* In place of a file that only a run of a stored pipeline brings. */
static const struct tool_input file_of_run = { .fd = -1, .path = "", .name = "", .bytes = 1 };

/* Adds the name of a part that a run will bring. */
static int add_part_name(struct pipeline_step *step, const struct param *param, const char *part,
                         struct err *err)
{
    char *own;

    if (!*part || strlen(part) > PIPELINE_PART)
        return err_field(err, ERR_INVALID_PARAMETER, param->name,
                         "%s must be the name, of 1 to %d letters, of the part that is its file "
                         "when the workflow is run",
                         param->name, PIPELINE_PART);
    own = strdup(part);
    if (!own)
        return err_sys(err, STEPS);
    add_param(step, param->name, own, &file_of_run);
    return 0;
}

static int add_file(struct pipeline_step *step, const struct param *param, const char *part,
                    const struct pipeline_source *source, struct err *err)
{
    const struct param_input *given = extra(source, part);
    char shown[48];

    text_for_message(part, strlen(part), shown, sizeof shown);
    if (!given || !given->file)
        return err_field(err, ERR_INVALID_PARAMETER, param->name,
                         "%s must be the name of a part of the request that is a file, and none is "
                         "named \"%s\"",
                         param->name, shown);
    if (param_check_upload(param, given->file->bytes, err) < 0)
        return -1;
    add_param(step, param->name, NULL, given->file);
    return 0;
}

static int add_value(struct pipeline_step *step, const char *name, const char *value,
                     const struct pipeline_source *source, struct err *err)
{
    const struct param *param = param_find(step->tool->params, step->tool->n_params, name);
    struct param_input given = { name, value };
    char *canonical = NULL;

    if (!param)
        return param_check_all(step->tool->params, step->tool->n_params, &given, 1, err);
    if (source->stored && param_is_secret(param) && *value)
        return err_field(err, ERR_INVALID_PARAMETER, param->name,
                         "%s is a secret, which no workflow keeps: leave it out, and send it with "
                         "each run",
                         param->name);
    if (source->stored && param_is_secret(param))
        return 0;
    if (param->type == PARAM_UPLOAD)
        return source->stored ? add_part_name(step, param, value, err)
                              : add_file(step, param, value, source, err);
    if (param_check(param, value, &canonical, err) < 0)
        return -1;
    add_param(step, param->name, canonical, NULL);
    return 0;
}

static int add_given(struct pipeline_step *step, const json_t *object,
                     const struct pipeline_source *source, struct err *err)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *) (uintptr_t) object, name, value)
    {
        char *text = text_of(value);
        int added = -1;

        if (text)
            added = add_value(step, name, text, source, err);
        else
            err_field(err, ERR_INVALID_PARAMETER, name,
                      "a parameter is a text, a number, true or false");
        free_text(text);
        if (added < 0)
            return -1;
    }
    return 0;
}

/* Adds the secrets of a text that was made without them. */
static int add_secrets(struct pipeline_step *step, size_t number,
                       const struct pipeline_source *source, struct err *err)
{
    const struct tool *tool = step->tool;
    char name[FIELD];

    for (size_t i = 0; i < tool->n_params; i++) {
        const struct param_input *given;

        if (!param_is_secret(&tool->params[i]) || tool->params[i].type == PARAM_UPLOAD)
            continue;
        snprintf(name, sizeof name, STEPS "[%zu].%s", number, tool->params[i].name);
        given = extra(source, name);
        if (given && given->value &&
            add_value(step, tool->params[i].name, given->value, source, err) < 0)
            return -1;
    }
    return 0;
}

static int find_tool(struct pipeline_step *step, const char *name,
                     const struct pipeline_source *source, struct err *err)
{
    const char *nearest;
    char shown[48];

    step->tool = strcmp(name, PIPELINE_NAME) == 0 ? NULL : source->find(source->arg, name);
    if (step->tool)
        return 0;
    text_for_message(name, strlen(name), shown, sizeof shown);
    nearest = source->nearest ? source->nearest(source->arg, name) : NULL;
    err_field(err, ERR_INVALID_PARAMETER, "tool", "there is no tool \"%s\" for a step%s%s%s", shown,
              nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    return -1;
}

/* A parameter that is missing in a step of a stored pipeline, and that a run can bring: a secret or
 * a file. NULL: the error is another one. */
static const struct param *find_awaited(const struct pipeline_step *step, const struct err *err)
{
    const struct param *param = param_find(step->tool->params, step->tool->n_params, err->field);

    if (err->code != ERR_MISSING_FIELD || !param)
        return NULL;
    for (size_t i = 0; i < step->n_params; i++)
        if (strcmp(step->params[i].name, param->name) == 0)
            return NULL;
    return param_is_secret(param) || param->type == PARAM_UPLOAD ? param : NULL;
}

static int check_given(const struct pipeline_step *step, const struct pipeline_source *source,
                       struct err *err)
{
    return tool_check_params(step->tool, step->params, step->n_params, err) < 0
               ? -1
               : tool_check_stamped(step->tool, step->params, step->n_params, source->authority,
                                    err);
}

/* Of a stored pipeline, what a run has to bring counts as given, and is noted. */
static int check_params(struct pipeline_step *step, const struct pipeline_source *source,
                        struct err *err)
{
    const struct param *missing;

    while (check_given(step, source, err) < 0) {
        missing = source->stored ? find_awaited(step, err) : NULL;
        if (!missing)
            return -1;
        if (missing->type == PARAM_UPLOAD) {
            add_param(step, missing->name, NULL, &file_of_run);
        } else {
            char *value = strdup(SECRET_OF_RUN);

            if (!value)
                return err_sys(err, STEPS);
            add_param(step, missing->name, value, NULL);
        }
    }
    return 0;
}

/* Reads the members of a step: its tool and, if there are any, its parameters. */
static int read_form(struct pipeline_step *step, json_t *json, json_t **given,
                     const struct pipeline_source *source, struct err *err)
{
    const char *name = NULL, *key;
    json_t *value;

    if (json_unpack(json, "{ss s?o}", "tool", &name, "params", given) < 0 ||
        (*given && !json_is_object(*given))) {
        err_field(err, ERR_INVALID_PARAMETER, "",
                  "a step is {\"tool\": NAME, \"params\": {NAME: VALUE, ...}}");
        return -1;
    }
    if (find_tool(step, name, source, err) < 0)
        return -1;
    json_object_foreach(json, key, value)
    {
        struct param_input known = { key, "" };

        if (strcmp(key, "tool") == 0 || strcmp(key, "params") == 0)
            continue;
        if (param_find(step->tool->params, step->tool->n_params, key))
            return err_field(err, ERR_UNKNOWN_FIELD, key,
                             "%s is a parameter of %s: put it into the step's \"params\"", key,
                             name);
        return param_check_all(NULL, 0, &known, 1, err);
    }
    return 0;
}

static int read_step(struct pipeline_step *step, size_t number, json_t *json,
                     const struct pipeline_source *source, struct err *err)
{
    json_t *given = NULL;

    if (read_form(step, json, &given, source, err) < 0)
        return -1;
    step->params = calloc(json_object_size(given) + step->tool->n_params + 1, sizeof *step->params);
    if (!step->params)
        return err_sys(err, STEPS);
    if (add_given(step, given, source, err) < 0 || add_secrets(step, number, source, err) < 0)
        return -1;
    return check_params(step, source, err);
}

static int check_chain(const struct pipeline *pipeline, struct err *err)
{
    for (size_t i = 1; i < pipeline->n; i++) {
        const struct tool *tool = pipeline->steps[i].tool, *before = pipeline->steps[i - 1].tool;
        char why[300], taken[120];

        if (feeds(tool, before->gives))
            continue;
        tool_list_accepted(tool, taken, sizeof taken);
        snprintf(why, sizeof why, "%s takes %s, and step %zu (%s) gives %s", tool->name, taken, i,
                 before->name, before->gives);
        return fail_at(i, ERR_INVALID_PARAMETER, "tool", why, err);
    }
    return 0;
}

int pipeline_check_count(const struct pipeline *pipeline, size_t n_files, struct err *err)
{
    const struct tool *first = pipeline->steps[0].tool;
    bool several = first->many || (first->max_files == 1 && n_files > 1);

    if (first->max_files == 1 && n_files > PIPELINE_RUNS)
        return err_field(err, ERR_TOO_MANY_FILES, "files", "a step is run for at most %d files",
                         PIPELINE_RUNS);
    if ((first->max_files != 1 || n_files == 0) &&
        tool_check_count(first, n_files, pipeline->steps[0].params, pipeline->steps[0].n_params,
                         err) < 0)
        return -1;
    for (size_t i = 1; i < pipeline->n; i++) {
        const struct pipeline_step *step = &pipeline->steps[i];
        const struct tool *tool = step->tool;
        size_t least = tool_least_files(tool, step->params, step->n_params);
        char why[200];

        if (!several && least > 1) {
            snprintf(why, sizeof why, "%s needs at least %zu files, and step %zu (%s) gives one",
                     tool->name, least, i, pipeline->steps[i - 1].tool->name);
            return fail_at(i, ERR_INVALID_PARAMETER, "tool", why, err);
        }
        several = tool->many || (tool->max_files == 1 && several);
    }
    return 0;
}

/* Refuses a file that no step uses: its name was probably mistyped. */
static int check_files_used(const struct pipeline *pipeline, const struct pipeline_source *source,
                            struct err *err)
{
    for (size_t i = 0; i < source->n_extra; i++) {
        bool used = !source->extra[i].file;

        for (size_t k = 0; k < pipeline->n; k++)
            for (size_t p = 0; p < pipeline->steps[k].n_params; p++)
                used = used || pipeline->steps[k].params[p].file == source->extra[i].file;
        if (!used)
            return err_field(err, ERR_UNKNOWN_FIELD, source->extra[i].name,
                             "no step names the file \"%s\"; documents are sent as file or files",
                             source->extra[i].name);
    }
    return 0;
}

static bool is_secret(const struct pipeline_step *step, const struct param_input *given)
{
    const struct param *param = param_find(step->tool->params, step->tool->n_params, given->name);

    return param && param_is_secret(param) && given->value;
}

size_t pipeline_awaited(const struct pipeline *pipeline, size_t step,
                        const char *names[static PIPELINE_AWAITED])
{
    const struct pipeline_step *at = &pipeline->steps[step];
    size_t n = 0;

    for (size_t i = 0; i < at->n_params && n < PIPELINE_AWAITED; i++)
        if (is_secret(at, &at->params[i]) ||
            (at->params[i].file == &file_of_run && !at->params[i].value))
            names[n++] = at->params[i].name;
    return n;
}

static int list_secrets(struct pipeline *pipeline, struct err *err)
{
    size_t room = 0;

    for (size_t i = 0; i < pipeline->n; i++)
        room += pipeline->steps[i].n_params;
    pipeline->secrets = calloc(room + 1, sizeof *pipeline->secrets);
    if (!pipeline->secrets)
        return err_sys(err, STEPS);
    for (size_t i = 0; i < pipeline->n; i++) {
        for (size_t p = 0; p < pipeline->steps[i].n_params; p++) {
            const struct param_input *given = &pipeline->steps[i].params[p];
            char *name;

            if (!is_secret(&pipeline->steps[i], given))
                continue;
            if (asprintf(&name, STEPS "[%zu].%s", i, given->name) < 0)
                return err_sys(err, STEPS);
            pipeline->secrets[pipeline->n_secrets++] = (struct param_input){ name, given->value };
        }
    }
    return 0;
}

static int read_steps(struct pipeline *pipeline, json_t *list, const struct pipeline_source *source,
                      struct err *err)
{
    size_t n = json_array_size(list);

    if (!json_is_array(list) || n == 0 || n > PIPELINE_STEPS)
        return err_field(err, ERR_INVALID_PARAMETER, STEPS,
                         STEPS " must be a JSON list of 1 to %d steps, each {\"tool\": NAME, "
                               "\"params\": {NAME: VALUE, ...}}",
                         PIPELINE_STEPS);
    for (size_t i = 0; i < n; i++) {
        pipeline->n++;
        if (read_step(&pipeline->steps[i], i, json_array_get(list, i), source, err) < 0)
            return at_step(i, err);
    }
    if (check_chain(pipeline, err) < 0 || check_files_used(pipeline, source, err) < 0)
        return -1;
    return list_secrets(pipeline, err);
}

struct pipeline *pipeline_new(const char *steps, const struct pipeline_source *source,
                              struct err *err)
{
    struct pipeline *pipeline = calloc(1, sizeof *pipeline);
    json_t *list = json_loads(steps, JSON_REJECT_DUPLICATES, NULL);
    int done = -1;

    if (pipeline)
        done = read_steps(pipeline, list, source, err);
    else
        err_sys(err, STEPS);
    json_decref(list);
    if (done == 0)
        return pipeline;
    pipeline_free(pipeline);
    return NULL;
}

void pipeline_free(struct pipeline *pipeline)
{
    if (!pipeline)
        return;
    for (size_t i = 0; i < pipeline->n_secrets; i++)
        free((char *) (uintptr_t) pipeline->secrets[i].name);
    free(pipeline->secrets);
    for (size_t i = 0; i < pipeline->n; i++) {
        for (size_t p = 0; p < pipeline->steps[i].n_params; p++)
            free_text(pipeline->steps[i].params[p].value);
        free(pipeline->steps[i].params);
    }
    free(pipeline);
}

static const char *name_of(const struct pipeline_source *source, const struct tool_input *file)
{
    for (size_t i = 0; i < source->n_extra; i++)
        if (source->extra[i].file == file)
            return source->extra[i].name;
    return "";
}

char *pipeline_text(const struct pipeline *pipeline, const struct pipeline_source *source)
{
    json_t *list = json_array();
    char *text;

    for (size_t i = 0; i < pipeline->n; i++) {
        const struct pipeline_step *step = &pipeline->steps[i];
        json_t *values = json_object();

        for (size_t p = 0; p < step->n_params; p++) {
            const struct param_input *given = &step->params[p];
            const char *value = given->file && !given->value && given->file != &file_of_run
                                    ? name_of(source, given->file)
                                    : given->value;

            if (value && !is_secret(step, given))
                json_object_set_new(values, given->name,
                                    json_stringn_nocheck(value, strlen(value)));
        }
        json_array_append_new(list,
                              json_pack("{ss so}", "tool", step->tool->name, "params", values));
    }
    text = json_dumps(list, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(list);
    return text;
}
