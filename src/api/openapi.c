#include "api/openapi.h"

#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/api.h"
#include "api/openapi_schema.h"
#include "api/openapi_text.h"
#include "base/scope.h"
#include "tool/pipeline.h"

/* The parts that do not depend on the tools are JSON as it is (openapi_base.json), so are the
 * examples (openapi_examples.json). What people read is the Markdown of docs/. */
extern const char openapi_base[], openapi_examples[], docs_guide[], docs_tools[];

static json_t *reference(const char *kind, const char *name)
{
    char ref[80];

    snprintf(ref, sizeof ref, "#/components/%s/%s", kind, name);
    return json_pack("{ss}", "$ref", ref);
}

static json_t *tool_responses(void)
{
    static const char *const statuses[][2] = {
        { "200", "Finished" },     { "202", "Accepted" },    { "400", "BadRequest" },
        { "401", "Unauthorized" }, { "404", "NotFound" },    { "409", "Conflict" },
        { "410", "Gone" },         { "413", "TooLarge" },    { "415", "UnsupportedType" },
        { "429", "TooMany" },      { "503", "Unavailable" }, { "507", "StorageFull" },
        { "default", "Error" },
    };
    json_t *responses = json_object();

    for (size_t i = 0; i < COUNT(statuses); i++)
        json_object_set_new(responses, statuses[i][0], reference("responses", statuses[i][1]));
    return responses;
}

static json_t *tool_operation(const struct tool *tool, const json_t *examples)
{
    json_t *form = json_pack("{so}", "schema", openapi_request_schema(tool));
    json_t *own = json_object_get(examples, tool->name);
    AUTO_BUF struct buf description = BUF_EMPTY;

    openapi_section(docs_tools, tool->name, &description);
    if (own)
        json_object_set(form, "examples", own);
    return json_pack("{s[s] ss ss ss s[oooo] s{sb s{so}} so}", "tags", "Tools", "operationId",
                     tool->name, "summary", tool->summary, "description", buf_text(&description),
                     "parameters", reference("parameters", "IdempotencyKey"),
                     reference("parameters", "Prefer"), reference("parameters", "Wait"),
                     reference("parameters", "DryRun"), "requestBody", "required", 1, "content",
                     "multipart/form-data", form, "responses", tool_responses());
}

/* The guide, and what holds of all tools. */
static json_t *introduction(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_puts(&text, docs_guide);
    buf_puts(&text, "\n## All tools\n\n");
    openapi_section(docs_tools, "All tools", &text);
    return json_string(buf_text(&text));
}

static void add_tool(json_t *paths, const struct tool *tool, const json_t *examples)
{
    char path[100];

    snprintf(path, sizeof path, "/api/v1/tools/pdf/%s", tool->name);
    json_object_set_new(paths, path, json_pack("{so}", "post", tool_operation(tool, examples)));
}

json_t *openapi_document(const struct catalog *catalog, const char *base_url)
{
    json_t *document = json_loads(openapi_base, 0, NULL);
    json_t *examples = json_loads(openapi_examples, 0, NULL);
    json_t *paths = json_object_get(document, "paths"), *info = json_object_get(document, "info");
    const struct tool *tool;

    for (size_t i = 0; (tool = catalog_at(catalog, i)) != NULL; i++)
        add_tool(paths, tool, examples);
    add_tool(paths, &pipeline_tool, examples);
    json_object_set_new(info, "version", json_string(PLATEN_VERSION));
    json_object_set_new(info, "description", introduction());
    if (base_url)
        json_object_set_new(document, "servers", json_pack("[{ss}]", "url", base_url));
    json_decref(examples);
    return document;
}

int openapi_prepare(struct api *api, struct err *err)
{
    json_t *document = openapi_document(api->catalog, NULL);
    AUTO_FREE char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;

    json_decref(document);
    if (text)
        buf_put(&api->openapi, text, strlen(text) - strlen("}"));
    return text && !api->openapi.failed ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

enum http_next openapi_get(struct http_request *req, struct http_response *resp)
{
    const struct buf *document = &api_of(req)->openapi;
    char base[API_BASE_URL];
    struct err err;

    answer_base_url(req, base, sizeof base);
    json_t *servers = json_pack("[{ss}]", "url", base);
    AUTO_FREE char *text = servers ? json_dumps(servers, JSON_COMPACT) : NULL;
    json_decref(servers);
    buf_put(&resp->body, document->data, document->len);
    buf_printf(&resp->body, ",\"servers\":%s}", text ? text : "[]");
    if (!text || resp->body.failed)
        return answer_error(req, resp, (err_set(&err, ERR_INTERNAL, "out of memory"), &err));
    http_response_header(resp, "Cache-Control", "%s", "no-cache");
    http_response_header(resp, "Content-Type", "%s", "application/json");
    return HTTP_ANSWER;
}
