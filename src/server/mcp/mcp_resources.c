#include "server/mcp/mcp_resources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "declare/value/file_kind.h"

#define LISTED   20 /* limit of the files of one job that are listed */
#define FRESH_MS 60000

static const char *text_in(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

json_t *mcp_resources_templates(void)
{
    return json_pack(
        "[{ss ss ss ss ss} {ss ss ss ss}]", "uriTemplate", "job:{id}", "name", "job", "title",
        "A job", "description",
        "A job as the API describes it: its state, its files with their links, its warnings. The "
        "handle job:ID that run answers.",
        "mimeType", "application/json", "uriTemplate", "job:{id}/{name}", "name", "file", "title",
        "A file that a job made", "description",
        "One file of a job's result, of at most 1 MiB. Larger ones have a link in job:{id}.");
}

/* RFC 3986, section 2.3: what needs no encoding anywhere in an address. */
static void put_uri(const char *id, const char *name, struct buf *out)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    buf_printf(out, "job:%s/", id);
    for (const char *at = name; *at; at++)
        if (strchr(plain, *at))
            buf_putc(out, *at);
        else
            buf_printf(out, "%%%02X", (unsigned char) *at);
}

static const char *media_type(const char *name)
{
    const char *kind = file_kind_of_name(name);

    return kind ? file_kind_media_type(kind) : "application/octet-stream";
}

static void describe_resource(const json_t *job, const json_t *output, json_t *resource)
{
    long long pages = json_integer_value(json_object_get(output, "pages"));
    const char *until = text_in(job, "expiresAt"), *made = text_in(job, "finishedAt");
    AUTO_BUF struct buf words = BUF_EMPTY;

    buf_printf(&words, "Made by %s", text_in(job, "tool"));
    if (pages)
        buf_printf(&words, ", %lld page%s", pages, pages == 1 ? "" : "s");
    if (until)
        buf_printf(&words, ", kept until %s", until);
    json_object_set_new(resource, "description", json_string(buf_text(&words)));
    if (made)
        json_object_set_new(resource, "annotations", json_pack("{ss}", "lastModified", made));
}

static json_t *file_resource(const json_t *job, const json_t *output)
{
    const char *name = text_in(output, "name");
    AUTO_BUF struct buf uri = BUF_EMPTY;
    json_t *resource;

    put_uri(text_in(job, "jobId"), name ? name : "", &uri);
    resource = json_pack("{ss ss ss sO}", "uri", buf_text(&uri), "name", name, "mimeType",
                         media_type(name), "size", json_object_get(output, "bytes"));
    describe_resource(job, output, resource);
    return resource;
}

/* In place of the files of a job that has too many to list. */
static json_t *job_resource(const json_t *job, size_t n)
{
    json_t *resource =
        json_pack("{so ss so ss}", "uri", json_sprintf("job:%s", text_in(job, "jobId")), "name",
                  text_in(job, "outputFile"), "title", json_sprintf("All %zu files of the job", n),
                  "mimeType", "application/json");

    describe_resource(job, NULL, resource);
    return resource;
}

static json_t *set_fresh(json_t *result, int64_t ms, bool modern)
{
    if (modern) {
        json_object_set_new(result, "ttlMs", json_integer(ms));
        json_object_set_new(result, "cacheScope", json_string("private"));
    }
    return result;
}

json_t *mcp_resources_list(const json_t *page, bool modern)
{
    const json_t *job, *output;
    json_t *list = json_array();
    size_t i, j;

    json_array_foreach(json_object_get(page, "jobs"), i, job)
    {
        const json_t *outputs = json_object_get(job, "outputs");

        if (json_array_size(outputs) > LISTED) {
            json_array_append_new(list, job_resource(job, json_array_size(outputs)));
            continue;
        }
        json_array_foreach(outputs, j, output)
        {
            json_array_append_new(list, file_resource(job, output));
        }
    }
    return set_fresh(
        json_pack("{so ss*}", "resources", list, "nextCursor", text_in(page, "nextCursor")), 0,
        modern);
}

bool mcp_resources_job(const char *uri, char id[static ID_TEXT])
{
    if (strncmp(uri, "job:", 4) != 0)
        return false;
    snprintf(id, ID_TEXT, "%s", uri + 4);
    return id_is_valid(id) && (!uri[4 + ID_TEXT - 1] || uri[4 + ID_TEXT - 1] == '/');
}

const json_t *mcp_resources_output(const json_t *job, const char *uri, bool *missing)
{
    const char *asked = strchr(uri, '/');
    const json_t *output;
    size_t i;

    *missing = false;
    if (!asked)
        return NULL;
    json_array_foreach(json_object_get(job, "outputs"), i, output)
    {
        const char *name = text_in(output, "name");
        AUTO_BUF struct buf own = BUF_EMPTY;

        put_uri(text_in(job, "jobId"), name ? name : "", &own);
        if (strcmp(buf_text(&own), uri) == 0 || (name && strcmp(name, asked + 1) == 0))
            return output;
    }
    *missing = true;
    return NULL;
}

/* Whether a file is shown as text: its media type is a text, and its bytes are UTF-8 that JSON can
 * hold. */
static bool reads_as_text(const char *type, const void *data, size_t n)
{
    static const char *const kinds[] = { "application/json", "application/x-ndjson",
                                         "application/xml", "image/svg+xml",
                                         "application/vnd.adobe.xfdf" };
    bool known = strncmp(type, "text/", 5) == 0;

    for (size_t i = 0; i < COUNT(kinds); i++)
        known = known || strcmp(kinds[i], type) == 0;
    return known && !memchr(data, 0, n) && utf8_is_valid(data, n);
}

static json_t *contents_of(const char *uri, const char *type, const char *member, json_t *value,
                           int64_t ms, bool modern)
{
    return set_fresh(
        json_pack("{s[{ss ss so}]}", "contents", "uri", uri, "mimeType", type, member, value), ms,
        modern);
}

json_t *mcp_resources_contents(const char *uri, const char *name, const void *data, size_t n,
                               bool modern)
{
    const char *type = media_type(name);
    AUTO_BUF struct buf coded = BUF_EMPTY;

    if (n == 0 || reads_as_text(type, data, n))
        return contents_of(uri, type, "text", json_stringn(n ? data : "", n), FRESH_MS, modern);
    base64_put(data, n, &coded);
    return coded.failed
               ? NULL
               : contents_of(uri, type, "blob", json_string(buf_text(&coded)), FRESH_MS, modern);
}

json_t *mcp_resources_job_contents(const char *uri, const json_t *job, bool modern)
{
    AUTO_FREE char *text = json_dumps(job, JSON_INDENT(2) | JSON_REAL_PRECISION(4));

    return contents_of(uri, "application/json", "text", json_string(text), 0, modern);
}

void mcp_resources_unknown(const char *uri, bool modern, struct mcp_fault *fault)
{
    mcp_fault_set(fault, 200, modern ? MCP_INVALID_PARAMS : MCP_NO_RESOURCE,
                  "Resource not found: resources/list has those that there are, as long as they "
                  "are kept");
    fault->data = json_pack("{ss}", "uri", uri);
}

void mcp_resources_refused(const json_t *body, int status, struct mcp_fault *fault)
{
    const char *code = text_in(body, "error"), *message = text_in(body, "message");

    mcp_fault_set(fault, 200, status == 400 ? MCP_INVALID_PARAMS : MCP_INTERNAL, "%.40s: %.180s",
                  code ? code : "error",
                  message ? message : "the server's answer could not be read; try again later");
    fault->data = code ? json_pack("{ss si}", "error", code, "status", status) : NULL;
}

void mcp_resources_too_large(const char *uri, const json_t *output, struct mcp_fault *fault)
{
    mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                  "the file has %lld bytes, and resources/read gives at most %zu: follow its link, "
                  "or use it by its handle",
                  (long long) json_integer_value(json_object_get(output, "bytes")),
                  MCP_RESOURCE_BYTES);
    fault->data = json_pack("{ss ss*}", "uri", uri, "downloadUrl", text_in(output, "downloadUrl"));
}
