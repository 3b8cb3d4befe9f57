#include "server/openapi/openapi.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/scope.h"
#include "declare/tool/pipeline.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/pack.h"
#include "server/openapi/openapi_copies.h"
#include "server/openapi/openapi_older.h"
#include "server/openapi/openapi_schema.h"
#include "server/openapi/openapi_text.h"

/* The parts that do not depend on the tools are JSON as it is (openapi_base.json), so are the
 * examples (openapi_examples.json). What people read is the Markdown of docs/. */
extern const char openapi_base[], openapi_examples[], docs_guide[], docs_tools[];

#define NAME 48 /* of a tool or an operation */

/* The document while it is put together; all of it is borrowed. */
struct draft {
    json_t *examples; /* of forms, by tool */
    json_t *paths, *schemas, *responses;
};

static json_t *reference(const char *kind, const char *name)
{
    char ref[80];

    snprintf(ref, sizeof ref, "#/components/%s/%s", kind, name);
    return json_pack("{ss}", "$ref", ref);
}

/* The possible error responses of every submission. */
static json_t *refusals(void)
{
    static const char *const statuses[][2] = {
        { "400", "BadRequest" },  { "401", "Unauthorized" },    { "403", "Forbidden" },
        { "404", "NotFound" },    { "409", "Conflict" },        { "410", "Gone" },
        { "413", "TooLarge" },    { "415", "UnsupportedType" }, { "429", "TooMany" },
        { "503", "Unavailable" }, { "507", "StorageFull" },     { "default", "Error" },
    };
    json_t *responses = json_object();

    for (size_t i = 0; i < COUNT(statuses); i++)
        json_object_set_new(responses, statuses[i][0], reference("responses", statuses[i][1]));
    return responses;
}

/*
 * Success responses are written into each operation: some generators see no type in a response
 * that is given by a reference, and return null. The document's own copy is deleted at the end
 * (drop_templates).
 */
static void set_success(json_t *responses, const char *status, const struct draft *draft,
                        const char *name)
{
    json_object_set_new(responses, status, json_deep_copy(json_object_get(draft->responses, name)));
}

static void drop_templates(const struct draft *draft)
{
    static const char *const names[] = { "Accepted", "Finished", "DryRun" };

    for (size_t i = 0; i < COUNT(names); i++)
        json_object_del(draft->responses, names[i]);
}

/* "add-password" as "addPassword", or as "AddPassword". */
static void camel(const char *name, bool upper, char *out, size_t cap)
{
    size_t n = 0;

    for (; *name && n + 1 < cap; name++) {
        if (*name == '-') {
            upper = true;
            continue;
        }
        out[n++] = (char) (upper ? toupper((unsigned char) *name) : *name);
        upper = false;
    }
    out[n] = '\0';
}

/*
 * A form is written into its operation: of a form given by a reference, one generator treats every
 * field with a default as required, and another does not recognise the form.
 */
static json_t *request_body(const struct tool *tool, json_t *examples)
{
    json_t *form =
        json_pack("{so sO*}", "schema", openapi_request_schema(tool), "examples", examples);

    return json_pack("{sb s{so}}", "required", 1, "content", "multipart/form-data", form);
}

static json_t *tool_operation(const struct draft *draft, const struct tool *tool)
{
    AUTO_BUF struct buf description = BUF_EMPTY;
    json_t *responses = refusals();
    char id[NAME];

    camel(tool->name, false, id, sizeof id);
    openapi_section(docs_tools, tool->name, &description);
    set_success(responses, "200", draft, "Finished");
    set_success(responses, "202", draft, "Accepted");
    return json_pack(
        "{s[s] ss ss ss s[oooo] so so}", "tags", "Tools", "operationId", id, "summary",
        tool->summary, "description", buf_text(&description), "parameters",
        reference("parameters", "IdempotencyKey"), reference("parameters", "Prefer"),
        reference("parameters", "Wait"), reference("parameters", "TestOutcome"), "requestBody",
        request_body(tool, json_object_get(draft->examples, tool->name)), "responses", responses);
}

static json_t *dry_run_operation(const struct draft *draft, const struct tool *tool)
{
    json_t *responses = refusals();
    char camelled[NAME], id[NAME + 8];

    camel(tool->name, true, camelled, sizeof camelled);
    snprintf(id, sizeof id, "dryRun%s", camelled);
    set_success(responses, "200", draft, "DryRun");
    return json_pack("{s[s] ss so ss so so}", "tags", "Dry runs", "operationId", id, "summary",
                     json_sprintf("Checks a submission to %s without making a job.", tool->name),
                     "description",
                     "The files are looked at, and nothing is done, counted or kept.",
                     "requestBody", request_body(tool, NULL), "responses", responses);
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

static void add_tool(const struct draft *draft, const struct tool *tool)
{
    char path[100];

    snprintf(path, sizeof path, "/api/v1/tools/pdf/%s", tool->name);
    json_object_set_new(draft->paths, path, json_pack("{so}", "post", tool_operation(draft, tool)));
    snprintf(path, sizeof path, "/api/v1/tools/pdf/%s/dry-run", tool->name);
    json_object_set_new(draft->paths, path,
                        json_pack("{so}", "post", dry_run_operation(draft, tool)));
    json_array_append_new(json_object_get(json_object_get(draft->schemas, "ToolName"), "enum"),
                          json_string(tool->name));
}

/* Every code that an answer may have. */
static void add_error_codes(const struct draft *draft)
{
    static const struct {
        const char *name;
        int status;
    } codes[] = {
#define ERR(symbol, name, status) { name, status },
#include "base/err.def"
#include "base/version.h"
#undef ERR
    };
    json_t *list = json_object_get(json_object_get(draft->schemas, "ErrorCode"), "enum");

    for (size_t i = 0; i < COUNT(codes); i++)
        if (codes[i].status)
            json_array_append_new(list, json_string(codes[i].name));
}

json_t *openapi_document(const struct catalog *catalog, const char *base_url)
{
    json_t *document = json_loads(openapi_base, 0, NULL);
    json_t *examples = json_loads(openapi_examples, 0, NULL);
    json_t *info = json_object_get(document, "info");
    json_t *components = json_object_get(document, "components");
    const struct draft draft = { .examples = examples,
                                 .paths = json_object_get(document, "paths"),
                                 .schemas = json_object_get(components, "schemas"),
                                 .responses = json_object_get(components, "responses") };
    const struct tool *tool;

    for (size_t i = 0; (tool = catalog_at(catalog, i)) != NULL; i++)
        add_tool(&draft, tool);
    add_tool(&draft, &pipeline_tool);
    add_error_codes(&draft);
    drop_templates(&draft);
    json_object_set_new(info, "version", json_string(PLATEN_VERSION));
    json_object_set_new(info, "description", introduction());
    if (base_url)
        json_object_set_new(document, "servers", json_pack("[{ss}]", "url", base_url));
    json_decref(examples);
    return document;
}

/* All but the closing bracket: the servers are appended for each request. */
static int write_document(const json_t *document, struct buf *out)
{
    AUTO_FREE char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;

    if (text)
        buf_put(out, text, strlen(text) - strlen("}"));
    return text && !out->failed ? 0 : -1;
}

int openapi_prepare(struct api *api, struct err *err)
{
    json_t *document = openapi_document(api->catalog, NULL);
    int done = write_document(document, &api->openapi);

    api->openapi_copies = openapi_copies_new(err);
    if (!api->openapi_copies)
        done = -1;
    if (done == 0) {
        openapi_older(document);
        done = write_document(document, &api->openapi_older);
    }
    json_decref(document);
    return done == 0 ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

/* NULL: there is none of the version that the request names. */
static const struct buf *find_document(const struct http_request *req)
{
    const char *version = http_query(req, "version");

    if (!version || strcmp(version, "3.1") == 0)
        return &api_of(req)->openapi;
    return strcmp(version, "3.0") == 0 ? &api_of(req)->openapi_older : NULL;
}

enum http_next openapi_get(struct http_request *req, struct http_response *resp)
{
    const struct buf *document = find_document(req);
    const char *known = http_header(req, "If-None-Match");
    const struct openapi_copy *copy;
    char base[API_BASE_URL];
    bool packed = pack_is_accepted(req);
    struct err err;

    if (!document)
        return answer_error(
            req, resp,
            (err_field(&err, ERR_INVALID_PARAMETER, "version", "version must be 3.1 or 3.0"),
             &err));
    answer_base_url(req, base, sizeof base);
    copy = openapi_copies_find(api_of(req)->openapi_copies, document, base, packed);
    if (!copy)
        return answer_error(req, resp, (err_set(&err, ERR_INTERNAL, "out of memory"), &err));
    http_response_header(resp, "Cache-Control", "%s", "no-cache");
    http_response_header(resp, "ETag", "%s", copy->etag);
    http_response_header(resp, "Vary", "%s", "Accept-Encoding");
    if (known && strcmp(known, copy->etag) == 0) {
        resp->status = 304;
        return HTTP_ANSWER;
    }
    http_response_shared(resp, copy->body.data, copy->body.len);
    if (packed)
        http_response_header(resp, "Content-Encoding", "%s", "gzip");
    http_response_header(resp, "Content-Type", "%s", "application/json");
    return HTTP_ANSWER;
}
