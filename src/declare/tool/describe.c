#include "declare/tool/describe.h"

#include <stdlib.h>
#include <string.h>

#include "declare/tool/rule.h"

static const char *const type_names[] = {
    [PARAM_BOOL] = "bool",         [PARAM_INT] = "int",       [PARAM_NUMBER] = "number",
    [PARAM_TEXT] = "text",         [PARAM_CHOICE] = "choice", [PARAM_PAGES] = "pages",
    [PARAM_PAPER] = "paper",       [PARAM_COLOR] = "color",   [PARAM_SECRET] = "secret",
    [PARAM_PASSWORD] = "password", [PARAM_UPLOAD] = "upload", [PARAM_LANGUAGES] = "languages",
    [PARAM_CHOICES] = "choices",
};

/* Converts a NULL-terminated list of texts; NULL for a NULL list. */
static json_t *texts_to_json(const char *const *list)
{
    json_t *array = json_array();

    for (size_t i = 0; list && list[i]; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

static json_t *param_to_json(const struct param *p)
{
    return json_pack("{ss ss* ss ss sb sb ss* sf sf sI so*}", "name", p->name, "alias", p->alias,
                     "help", p->help, "type", type_names[p->type], "required", p->required, "text",
                     p->text, "preset", p->preset, "min", p->min, "max", p->max, "step",
                     (json_int_t) p->step, "choices",
                     p->choices ? texts_to_json(p->choices) : NULL);
}

json_t *tool_describe(const struct tool *tool)
{
    const char *const stamped[] = { tool->stamped[0], tool->stamped[1], NULL };
    const char *const delegate[] = { tool->delegate[0], tool->delegate[1], NULL };
    json_t *params = json_array();

    for (size_t i = 0; i < tool->n_params; i++)
        json_array_append_new(params, param_to_json(&tool->params[i]));
    return json_pack("{ss ss so ss* ss so sb sb sb sb sb so so sI sI so ss* ss* ss* ss* so}",
                     "name", tool->name, "summary", tool->summary, "accepts",
                     texts_to_json(tool->accepts), "acceptsText", tool->accepts_text, "gives",
                     tool->gives, "givesAlso", texts_to_json(tool->gives_also), "many", tool->many,
                     "asks", tool->asks, "fetches", tool->fetches, "free", tool->free, "hidden",
                     tool->hidden, "stamped", texts_to_json(stamped), "delegate",
                     texts_to_json(delegate), "minFiles", (json_int_t) tool->min_files, "maxFiles",
                     (json_int_t) tool->max_files, "oneOf", texts_to_json(tool->one_of), "alone",
                     tool->alone, "rule", tool->rule ? rule_name(tool->rule) : NULL, "transcriber",
                     tool->transcriber, "stronger", tool->stronger, "params", params);
}

/* Reads at most `cap` texts; the caller zeroed the array. */
static int texts_from_json(const json_t *array, const char **out, size_t cap)
{
    size_t i;
    json_t *text;

    if (!json_is_array(array) || json_array_size(array) > cap)
        return -1;
    json_array_foreach((json_t *) (uintptr_t) array, i, text)
    {
        if (!json_is_string(text))
            return -1;
        out[i] = json_string_value(text);
    }
    return 0;
}

static int type_from_name(const char *name, enum param_type *out)
{
    for (size_t i = 0; i < COUNT(type_names); i++) {
        if (strcmp(type_names[i], name) == 0) {
            *out = (enum param_type) i;
            return 0;
        }
    }
    return -1;
}

static int param_from_json(json_t *json, struct param *out)
{
    json_t *choices = NULL;
    const char *type;
    json_int_t step;
    int required, text;

    if (json_unpack(json, "{ss s?s ss ss sb sb s?s sF sF sI s?o}", "name", &out->name, "alias",
                    &out->alias, "help", &out->help, "type", &type, "required", &required, "text",
                    &text, "preset", &out->preset, "min", &out->min, "max", &out->max, "step",
                    &step, "choices", &choices) < 0 ||
        type_from_name(type, &out->type) < 0)
        return -1;
    out->required = required;
    out->text = text;
    out->step = step;
    if ((out->type == PARAM_CHOICE || out->type == PARAM_CHOICES) && !choices)
        return -1;
    if (choices) {
        const char **list = calloc(json_array_size(choices) + 1, sizeof *list);

        out->choices = list;
        if (!list || texts_from_json(choices, list, json_array_size(choices)) < 0)
            return -1;
    }
    return 0;
}

static int params_from_json(json_t *array, struct tool *tool)
{
    struct param *params;

    if (!json_is_array(array))
        return -1;
    params = calloc(json_array_size(array) + 1, sizeof *params);
    if (!params)
        return -1;
    tool->params = params;
    tool->n_params = json_array_size(array);
    for (size_t i = 0; i < tool->n_params; i++)
        if (param_from_json(json_array_get(array, i), &params[i]) < 0)
            return -1;
    return 0;
}

struct tool *tool_recall(const json_t *json, struct err *err)
{
    struct tool *tool = calloc(1, sizeof *tool);
    json_t *accepts, *gives_also, *one_of, *stamped, *delegate, *params;
    json_int_t min, max;
    const char *rule = NULL;
    int many, asks, fetches, gratis, hidden;

    if (!tool) {
        err_sys(err, "tool");
        return NULL;
    }
    if (json_unpack((json_t *) (uintptr_t) json,
                    "{ss ss so s?s ss so sb sb sb sb sb so so sI sI so s?s s?s s?s s?s so}", "name",
                    &tool->name, "summary", &tool->summary, "accepts", &accepts, "acceptsText",
                    &tool->accepts_text, "gives", &tool->gives, "givesAlso", &gives_also, "many",
                    &many, "asks", &asks, "fetches", &fetches, "free", &gratis, "hidden", &hidden,
                    "stamped", &stamped, "delegate", &delegate, "minFiles", &min, "maxFiles", &max,
                    "oneOf", &one_of, "alone", &tool->alone, "rule", &rule, "transcriber",
                    &tool->transcriber, "stronger", &tool->stronger, "params", &params) < 0 ||
        texts_from_json(accepts, tool->accepts, TOOL_ACCEPTS) < 0 ||
        texts_from_json(gives_also, tool->gives_also, TOOL_ALSO) < 0 ||
        texts_from_json(one_of, tool->one_of, TOOL_CHOICES) < 0 ||
        texts_from_json(stamped, tool->stamped, COUNT(tool->stamped)) < 0 ||
        texts_from_json(delegate, tool->delegate, COUNT(tool->delegate)) < 0 ||
        !tool->delegate[0] != !tool->delegate[1] || !tool->stamped[0] != !tool->stamped[1] ||
        params_from_json(params, tool) < 0 || min < 0 || max < min || (rule && !rule_find(rule))) {
        err_set(err, ERR_INTERNAL, "a tool's description cannot be read");
        tool_forget(tool);
        return NULL;
    }
    tool->rule = rule ? rule_find(rule) : NULL;
    tool->many = many;
    tool->asks = asks;
    tool->fetches = fetches;
    tool->free = gratis;
    tool->hidden = hidden;
    tool->min_files = (size_t) min;
    tool->max_files = (size_t) max;
    return tool;
}

void tool_forget(struct tool *tool)
{
    if (!tool)
        return;
    for (size_t i = 0; i < tool->n_params; i++)
        free((void *) (uintptr_t) tool->params[i].choices);
    free((void *) (uintptr_t) tool->params);
    free(tool);
}
