#include "server/openapi/openapi_schema.h"

#include <string.h>

#include "base/buf.h"
#include "declare/tool/pipeline.h"
#include "declare/value/file_kind.h"

static void set(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value);
}

static json_t *number(double value)
{
    return value == (double) (json_int_t) value ? json_integer((json_int_t) value)
                                                : json_real(value);
}

static bool is_choice(const struct param *p, const char *value)
{
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        if (strcmp(p->choices[i], value) == 0)
            return true;
    return false;
}

static void set_preset(json_t *schema, const struct param *p)
{
    if (!p->preset || param_is_secret(p))
        return;
    if (p->type == PARAM_BOOL)
        set(schema, "default", json_boolean(strcmp(p->preset, "true") == 0));
    else if ((p->type == PARAM_INT || p->type == PARAM_NUMBER) && !is_choice(p, p->preset))
        set(schema, "default", json_loads(p->preset, JSON_DECODE_ANY, NULL));
    else
        set(schema, "default", json_string(p->preset));
}

static json_t *texts(const char *const *list)
{
    json_t *values = json_array();

    for (size_t i = 0; list && list[i]; i++)
        json_array_append_new(values, json_string(list[i]));
    return values;
}

/* One or several words, divided by commas. */
static void set_several(json_t *schema, json_t *values)
{
    AUTO_BUF struct buf one = BUF_EMPTY;
    size_t i;
    json_t *value;

    json_array_foreach(values, i, value)
    {
        buf_printf(&one, "%s%s", i ? "|" : "", json_string_value(value));
    }
    set(schema, "pattern", json_sprintf("^ *(%s) *(, *(%s) *)*$", buf_text(&one), buf_text(&one)));
    set(schema, "x-options", values);
}

/* If words are allowed besides a number, the schema has two alternatives. */
static void set_choices(json_t *schema, const struct param *p)
{
    json_t *values = texts(p->choices), *number;

    if (p->type == PARAM_CHOICE) {
        set(schema, "enum", values);
        return;
    }
    if (p->type == PARAM_CHOICES) {
        set_several(schema, values);
        return;
    }
    number = json_pack("{sO sO sO}", "type", json_object_get(schema, "type"), "minimum",
                       json_object_get(schema, "minimum"), "maximum",
                       json_object_get(schema, "maximum"));
    json_object_del(schema, "type");
    json_object_del(schema, "minimum");
    json_object_del(schema, "maximum");
    set(schema, "anyOf", json_pack("[o{ss so}]", number, "type", "string", "enum", values));
}

/*
 * A file, or a reference to an earlier result or an upload instead of it. `format` is what
 * generators of clients know; contentMediaType is what JSON Schema has for it. `max`: bytes of a
 * file, 0: not said.
 */
static json_t *upload_schema(const char *media_type, double max, json_t *description,
                             const char *pattern, const char *others)
{
    json_t *bytes = json_pack("{ss ss ss ss}", "type", "string", "format", "binary",
                              "contentMediaType", media_type, "description", "The file itself.");

    if (max > 0)
        set(bytes, "maxLength", number(max));
    return json_pack("{so s[o{ss ss ss}]}", "description", description, "anyOf", bytes, "type",
                     "string", "pattern", pattern, "description", others);
}

/* A document may also be fetched from an address. */
static json_t *document_schema(const char *media_type, json_t *description)
{
    return upload_schema(
        media_type, 0, description, "^(job:|upload:|https?://)",
        "An earlier result, job:{jobId} or job:{jobId}/{output}; a file that was "
        "sent in pieces, upload:{uploadId}; or an address, as fileUrl accepts it.");
}

static json_t *param_schema(const struct param *p)
{
    static const char *const types[] = {
        [PARAM_BOOL] = "boolean",    [PARAM_INT] = "integer",      [PARAM_NUMBER] = "number",
        [PARAM_TEXT] = "string",     [PARAM_CHOICE] = "string",    [PARAM_PAGES] = "string",
        [PARAM_PAPER] = "string",    [PARAM_COLOR] = "string",     [PARAM_SECRET] = "string",
        [PARAM_PASSWORD] = "string", [PARAM_LANGUAGES] = "string", [PARAM_CHOICES] = "string",
    };
    json_t *schema;

    if (p->type == PARAM_UPLOAD)
        return upload_schema("application/octet-stream", p->max, json_string(p->help),
                             p->text ? "." : "^(job|upload):",
                             p->text ? "The content of the file as a text or, if it begins so, an "
                                       "earlier result, job:{jobId} or job:{jobId}/{output}, or a "
                                       "file that was sent in pieces, upload:{uploadId}."
                                     : "An earlier result, job:{jobId} or job:{jobId}/{output}, or "
                                       "a file that was sent in pieces, upload:{uploadId}.");
    schema = json_pack("{ss ss}", "type", types[p->type], "description", p->help);
    set_preset(schema, p);
    if (p->type == PARAM_INT || p->type == PARAM_NUMBER) {
        set(schema, "minimum", number(p->min));
        set(schema, "maximum", number(p->max));
    }
    if (p->step)
        set(schema, "multipleOf", json_integer(p->step));
    if (p->type == PARAM_TEXT) {
        set(schema, "minLength", number(p->min));
        set(schema, "maxLength", number(p->max));
    }
    if (p->type == PARAM_PAGES)
        set(schema, "examples", json_pack("[s]", "1-3,7,last"));
    if (p->type == PARAM_PAPER)
        set(schema, "examples", json_pack("[sss]", "fit", "a4", "100x150mm"));
    if (p->type == PARAM_COLOR)
        set(schema, "pattern", json_string("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"));
    if (param_is_secret(p))
        set(schema, "format", json_string("password"));
    if (p->type == PARAM_LANGUAGES)
        set(schema, "pattern", json_string("^[A-Za-z0-9_]{2,31}([+][A-Za-z0-9_]{2,31}){0,7}$"));
    if (p->choices && p->type == PARAM_LANGUAGES)
        set(schema, "examples", texts(p->choices));
    else if (p->choices && p->type != PARAM_TEXT)
        set_choices(schema, p);
    return schema;
}

/* Of a tool that takes several kinds none is the one. */
static const char *media_type(const struct tool *tool)
{
    return tool == &pipeline_tool || tool->accepts_text || tool->accepts[1]
               ? "application/octet-stream"
               : file_kind_media_type(tool->accepts[0]);
}

static json_t *file_schema(const struct tool *tool)
{
    char taken[120] = "of any kind";

    if (tool != &pipeline_tool)
        tool_list_accepted(tool, taken, sizeof taken);
    if (tool->max_files == 1)
        return document_schema(media_type(tool), json_sprintf("The file (%s).", taken));
    return json_pack("{ss so sI sI so}", "type", "array", "description",
                     json_sprintf("The files (%s), in order. files[], and "
                                  "files[0], files[1] and so on, are taken as the same name.",
                                  taken),
                     "minItems", (json_int_t) (tool->alone ? 1 : tool->min_files), "maxItems",
                     (json_int_t) tool->max_files, "items",
                     document_schema(media_type(tool), json_string("One of the files.")));
}

static json_t *alias_schema(const struct param *p)
{
    json_t *schema = param_schema(p);

    set(schema, "description", json_sprintf("Another name for %s.", p->name));
    return schema;
}

static void add_params(json_t *properties, json_t *required, const struct param *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        set(properties, params[i].name, param_schema(&params[i]));
        if (params[i].alias)
            set(properties, params[i].alias, alias_schema(&params[i]));
        if (params[i].required)
            json_array_append_new(required, json_string(params[i].name));
    }
}

/* Files that the server fetches, in the place of those that are sent. */
static void add_remote(json_t *properties, const struct tool *tool)
{
    json_t *url = json_pack("{ss ss si ss}", "type", "string", "format", "uri", "maxLength", 2000,
                            "description",
                            "In the place of a file: its address (https), from which the server "
                            "fetches it once the job was accepted.");
    json_t *digest =
        json_pack("{ss ss ss}", "type", "string", "pattern", "^(sha256:)?[0-9A-Fa-f]{64}$",
                  "description", "The SHA-256 that the file of fileUrl must have.");

    if (tool->max_files > 1) {
        url = json_pack("{ss ss so}", "type", "array", "description",
                        "In the place of files: addresses (https), from which the server fetches "
                        "them once the job was accepted.",
                        "items", url);
        digest =
            json_pack("{ss ss so}", "type", "array", "description",
                      "The SHA-256 of the files of fileUrl, in the same order.", "items", digest);
    }
    set(properties, "fileUrl", url);
    set(properties, "fileDigest", digest);
    set(properties, "fileHeaders",
        json_pack("{ss ss ss}", "type", "string", "format", "password", "description",
                  "Headers that are sent to the host of fileUrl, as a JSON object of names and "
                  "texts: at most 16. They are kept like passwords."));
}

/* Where the result is sent to. */
static void add_output(json_t *properties)
{
    set(properties, "outputUrl",
        json_pack("{ss ss si ss}", "type", "string", "format", "uri", "maxLength", 2000,
                  "description",
                  "An address (https) that the result is sent to by PUT once the job is completed, "
                  "such as a presigned one of S3. It is kept like a password."));
    set(properties, "outputUrls",
        json_pack("{ss sI so ss}", "type", "array", "maxItems", (json_int_t) 1000, "items",
                  json_pack("{ss ss si ss}", "type", "string", "format", "uri", "maxLength", 2000,
                            "description", "The address of a part."),
                  "description",
                  "Instead of outputUrl: an address for each part of the result, in their order. "
                  "The JSON array may be one field, too."));
    set(properties, "outputHeaders",
        json_pack(
            "{ss ss ss}", "type", "string", "format", "password", "description",
            "Headers that are sent to the hosts of outputUrl and outputUrls, as a JSON object "
            "of names and texts: at most 16. They are kept like passwords."));
}

/* A pipeline runs the steps of a saved workflow, or its own. */
static json_t *add_workflow(json_t *properties, json_t *required)
{
    size_t i;
    json_t *name;

    set(properties, "workflow",
        json_pack(
            "{ss ss}", "type", "string", "description",
            "The id of a saved workflow, whose steps are run; not with steps. A field such as "
            "steps[1].password sets a parameter of a step for this run."));
    json_array_foreach(required, i, name)
    {
        if (strcmp(json_string_value(name), pipeline_tool.params[0].name) == 0) {
            json_array_remove(required, i);
            break;
        }
    }
    return json_pack("[{s[s]} {s[s]}]", "required", pipeline_tool.params[0].name, "required",
                     "workflow");
}

json_t *openapi_request_schema(const struct tool *tool)
{
    const char *file = tool->max_files == 1 ? "file" : "files";
    json_t *properties = json_object(), *required = json_array(), *schema, *any = json_array();
    json_t *own_steps;
    size_t n_common, n_request;
    const struct param *common = tool_common_params(&n_common);
    const struct param *request = tool_submission_params(&n_request);

    if (tool->max_files > 0) {
        set(properties, file, file_schema(tool));
        json_array_append_new(required, json_string(file));
    }
    add_params(properties, required, tool->params, tool->n_params);
    add_params(properties, required, common, n_common);
    add_params(properties, required, request, n_request);
    set(json_object_get(properties, "callbackUrl"), "format", json_string("uri"));
    if (tool->max_files > 0)
        add_remote(properties, tool);
    if (tool->fetches) /* an address, although it is kept like a password */
        set(json_object_get(properties, "url"), "format", json_string("uri"));
    add_output(properties);
    own_steps = tool == &pipeline_tool ? add_workflow(properties, required) : NULL;
    /* A pipeline's form may also have the files that its steps name as values of parameters. */
    schema = json_pack("{ss sb so so}", "type", "object", "additionalProperties",
                       tool == &pipeline_tool, "properties", properties, "required", required);
    if (own_steps)
        json_array_extend(any, own_steps);
    json_decref(own_steps);
    for (size_t i = 0; tool->one_of[i]; i++)
        json_array_append_new(any, json_pack("{s[s]}", "required", tool->one_of[i]));
    if (json_array_size(any))
        set(schema, "oneOf", any);
    else
        json_decref(any);
    return schema;
}
