#include "api/openapi.h"

#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/api.h"
#include "tool/file_kind.h"

/* The parts that do not depend on the tools are JSON as it is: src/api/openapi_base.json. */
extern const char openapi_base[];

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

/* A number may have words beside it: then it is one of two. */
static void set_choices(json_t *schema, const struct param *p)
{
    json_t *values = json_array(), *number;

    for (size_t i = 0; p->choices[i]; i++)
        json_array_append_new(values, json_string(p->choices[i]));
    if (p->type == PARAM_CHOICE) {
        set(schema, "enum", values);
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

static json_t *param_schema(const struct param *p)
{
    static const char *const types[] = {
        [PARAM_BOOL] = "boolean",    [PARAM_INT] = "integer",   [PARAM_NUMBER] = "number",
        [PARAM_TEXT] = "string",     [PARAM_CHOICE] = "string", [PARAM_PAGES] = "string",
        [PARAM_PAPER] = "string",    [PARAM_COLOR] = "string",  [PARAM_SECRET] = "string",
        [PARAM_PASSWORD] = "string", [PARAM_UPLOAD] = "string",
    };
    json_t *schema = json_pack("{ss ss}", "type", types[p->type], "description", p->help);

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
    if (p->type == PARAM_UPLOAD) {
        set(schema, "format", json_string("binary"));
        set(schema, "contentMediaType", json_string("application/octet-stream"));
        set(schema, "maxLength", number(p->max));
    }
    if (p->choices && p->type != PARAM_TEXT)
        set_choices(schema, p);
    return schema;
}

static json_t *file_schema(const struct tool *tool)
{
    json_t *file = json_pack("{ss ss}", "type", "string", "contentMediaType",
                             file_kind_media_type(tool->accepts[0]));

    if (tool->max_files == 1) {
        set(file, "description", json_string("The file."));
        return file;
    }
    return json_pack("{ss ss sI sI so}", "type", "array", "description",
                     "The files, in order. files[] is taken as the same name.", "minItems",
                     (json_int_t) tool->min_files, "maxItems", (json_int_t) tool->max_files,
                     "items", file);
}

static void add_params(json_t *properties, json_t *required, const struct param *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        set(properties, params[i].name, param_schema(&params[i]));
        if (params[i].required)
            json_array_append_new(required, json_string(params[i].name));
    }
}

static json_t *request_schema(const struct tool *tool)
{
    const char *file = tool->max_files == 1 ? "file" : "files";
    json_t *properties = json_pack("{so}", file, file_schema(tool));
    json_t *required = json_pack("[s]", file), *schema, *any = json_array();
    const struct param *common;
    size_t n;

    common = tool_common_params(&n);
    add_params(properties, required, tool->params, tool->n_params);
    add_params(properties, required, common, n);
    schema = json_pack("{ss sb so so}", "type", "object", "additionalProperties", 0, "properties",
                       properties, "required", required);
    for (size_t i = 0; tool->one_of[i]; i++)
        json_array_append_new(any, json_pack("{s[s]}", "required", tool->one_of[i]));
    if (json_array_size(any))
        set(schema, "oneOf", any);
    else
        json_decref(any);
    return schema;
}

static json_t *tool_operation(const struct tool *tool)
{
    static const char *const statuses[][2] = {
        { "400", "BadRequest" }, { "401", "Unauthorized" }, { "404", "NotFound" },
        { "409", "Conflict" },   { "413", "TooLarge" },     { "415", "UnsupportedType" },
        { "429", "TooMany" },    { "503", "Unavailable" },  { "507", "StorageFull" },
    };
    json_t *responses = json_pack("{s{ss}}", "202", "$ref", "#/components/responses/Accepted");

    for (size_t i = 0; i < COUNT(statuses); i++) {
        char ref[64];

        snprintf(ref, sizeof ref, "#/components/responses/%s", statuses[i][1]);
        set(responses, statuses[i][0], json_pack("{ss}", "$ref", ref));
    }
    return json_pack("{s[s] ss ss s[{ss}] s{sb s{s{so}}} so}", "tags", "Tools", "operationId",
                     tool->name, "summary", tool->summary, "parameters", "$ref",
                     "#/components/parameters/IdempotencyKey", "requestBody", "required", 1,
                     "content", "multipart/form-data", "schema", request_schema(tool), "responses",
                     responses);
}

json_t *openapi_document(const struct catalog *catalog, const char *base_url)
{
    json_t *document = json_loads(openapi_base, 0, NULL);
    json_t *paths = json_object_get(document, "paths");
    const struct tool *tool;

    for (size_t i = 0; (tool = catalog_at(catalog, i)) != NULL; i++) {
        char path[100];

        snprintf(path, sizeof path, "/api/v1/tools/pdf/%s", tool->name);
        set(paths, path, json_pack("{so}", "post", tool_operation(tool)));
    }
    json_object_set_new(json_object_get(document, "info"), "version", json_string(PLATEN_VERSION));
    set(document, "servers", json_pack("[{ss}]", "url", base_url));
    return document;
}

enum http_next openapi_get(struct http_request *req, struct http_response *resp)
{
    char base[600];

    answer_base_url(req, base, sizeof base);
    return answer_json(resp, 200, openapi_document(api_of(req)->catalog, base));
}
