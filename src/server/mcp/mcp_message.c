#include "server/mcp/mcp_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "declare/value/text.h"

#define NAME_BYTES 400 /* limit of a name that a header line repeats */

static const char *const revisions[] = { MCP_REVISION, "2025-11-25", "2025-06-18" };

const char *mcp_message_revision(size_t i)
{
    return i < COUNT(revisions) ? revisions[i] : NULL;
}

static bool is_known(const char *revision)
{
    for (size_t i = 0; i < COUNT(revisions); i++)
        if (strcmp(revisions[i], revision) == 0)
            return true;
    return false;
}

int mcp_fault_set(struct mcp_fault *fault, int status, enum mcp_code code, const char *fmt, ...)
{
    va_list args;

    *fault = (struct mcp_fault){ .status = status, .code = code };
    va_start(args, fmt);
    vsnprintf(fault->text, sizeof fault->text, fmt, args);
    va_end(args);
    return -1;
}

/* What a client sent, as it may be repeated in a message to it. */
static const char *shown(const char *text, char out[static 40])
{
    text_for_message(text, strlen(text), out, 40);
    return out;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* =?base64?TEXT?= encodes bytes that a header line cannot have. */
static bool line_is(const char *line, const char *value)
{
    static const char begin[] = "=?base64?", end[] = "?=";
    size_t n = strlen(line), wrapped = sizeof begin - 1 + sizeof end - 1, got;
    char plain[NAME_BYTES];

    if (n < wrapped || strncmp(line, begin, sizeof begin - 1) != 0 ||
        strcmp(line + n - 2, end) != 0)
        return strcmp(line, value) == 0;
    return base64_read(line + sizeof begin - 1, n - wrapped, plain, sizeof plain, &got) &&
           got == strlen(value) && memcmp(plain, value, got) == 0;
}

static int check_line(const char *label, const char *line, const char *value,
                      struct mcp_fault *fault)
{
    char had[40], wanted[40];

    if (!line)
        return mcp_fault_set(fault, 400, MCP_HEADER_MISMATCH,
                             "Header mismatch: the header %s is missing: send %s: %s", label, label,
                             shown(value, wanted));
    if (line_is(line, value))
        return 0;
    return mcp_fault_set(fault, 400, MCP_HEADER_MISMATCH,
                         "Header mismatch: the header %s is '%s', and the body says '%s'", label,
                         shown(line, had), shown(value, wanted));
}

static int refuse_revision(const char *revision, struct mcp_fault *fault)
{
    mcp_fault_set(fault, 400, MCP_NO_REVISION, "Unsupported protocol version");
    shown(revision, fault->requested);
    return -1;
}

/* The member that the header Mcp-Name repeats; NULL: the method has none. */
static const char *name_member(const char *method)
{
    if (strcmp(method, "tools/call") == 0 || strcmp(method, "prompts/get") == 0)
        return "name";
    return strcmp(method, "resources/read") == 0 ? "uri" : NULL;
}

const json_t *mcp_message_meta(const struct mcp_message *message, const char *name)
{
    char member[80];

    snprintf(member, sizeof member, MCP_META "%s", name);
    return json_object_get(json_object_get(message->params, "_meta"), member);
}

static int check_meta(const struct mcp_message *message, const struct mcp_lines *lines,
                      struct mcp_fault *fault)
{
    const json_t *meta = json_object_get(message->params, "_meta");
    const char *revision = text_of(meta, MCP_META "protocolVersion");
    const char *member = name_member(message->method), *name;

    if (!revision)
        return mcp_fault_set(fault, 400, MCP_INVALID_PARAMS,
                             "params._meta needs " MCP_META "protocolVersion, such as %s",
                             MCP_REVISION);
    if (check_line("MCP-Protocol-Version", lines->revision, revision, fault) < 0)
        return -1;
    if (strcmp(revision, MCP_REVISION) != 0)
        return refuse_revision(revision, fault);
    if (!json_is_object(json_object_get(meta, MCP_META "clientCapabilities")))
        return mcp_fault_set(fault, 400, MCP_INVALID_PARAMS,
                             "params._meta needs " MCP_META "clientCapabilities, an object");
    if (message->kind != MCP_REQUEST)
        return 0;
    if (check_line("Mcp-Method", lines->method, message->method, fault) < 0)
        return -1;
    name = member ? text_of(message->params, member) : NULL;
    return name ? check_line("Mcp-Name", lines->name, name, fault) : 0;
}

/* Which era a message is of: one that begins with initialize says nothing of itself. */
static int find_era(struct mcp_message *message, const struct mcp_lines *lines,
                    struct mcp_fault *fault)
{
    const json_t *meta = json_object_get(message->params, "_meta");
    bool says = json_object_get(meta, MCP_META "protocolVersion") != NULL;

    if (strcmp(message->method, "initialize") == 0 && !says)
        return 0;
    message->modern = says || (lines->revision && strcmp(lines->revision, MCP_REVISION) == 0) ||
                      (!lines->revision && strcmp(message->method, "server/discover") == 0);
    if (message->modern)
        return check_meta(message, lines, fault);
    /* Without the line, a client is of 2025-03-26 (2025-11-25, Protocol Version Header). */
    if (lines->revision && !is_known(lines->revision) && strcmp(lines->revision, "2025-03-26") != 0)
        return refuse_revision(lines->revision, fault);
    return 0;
}

static int read_members(struct mcp_message *message, struct mcp_fault *fault)
{
    const json_t *id = json_object_get(message->root, "id");
    const json_t *params = json_object_get(message->root, "params");
    const char *version = text_of(message->root, "jsonrpc");

    if (json_is_string(id) || json_is_integer(id))
        message->id = id;
    if (!version || strcmp(version, "2.0") != 0)
        return mcp_fault_set(fault, 400, MCP_INVALID_REQUEST,
                             "a message has the member \"jsonrpc\": \"2.0\"");
    message->method = text_of(message->root, "method");
    if (!message->method &&
        (json_object_get(message->root, "result") || json_object_get(message->root, "error"))) {
        message->kind = MCP_RESPONSE;
        message->method = "";
        return 0;
    }
    if (!message->method)
        return mcp_fault_set(fault, 400, MCP_INVALID_REQUEST,
                             "a request has the member \"method\", a text");
    if (id && !message->id)
        return mcp_fault_set(fault, 400, MCP_INVALID_REQUEST,
                             "the id of a request is a text or an integer");
    if (params && !json_is_object(params))
        return mcp_fault_set(fault, 400, MCP_INVALID_REQUEST, "params is an object");
    message->params = params;
    message->kind = id ? MCP_REQUEST : MCP_NOTIFICATION;
    return 0;
}

int mcp_message_read(struct mcp_message *message, const void *text, size_t n,
                     const struct mcp_lines *lines, struct mcp_fault *fault)
{
    json_error_t error;

    *message = (struct mcp_message){ 0 };
    message->root = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!message->root)
        return mcp_fault_set(fault, 400, MCP_PARSE_ERROR,
                             "the body is not JSON: fault at line %d, column %d", error.line,
                             error.column);
    if (json_is_array(message->root))
        return mcp_fault_set(fault, 400, MCP_INVALID_REQUEST,
                             "send one message a request: lists of messages are not accepted");
    if (!json_is_object(message->root))
        return mcp_fault_set(fault, 400, MCP_INVALID_REQUEST, "a message is a JSON object");
    if (read_members(message, fault) < 0)
        return -1;
    if (message->kind == MCP_RESPONSE)
        return 0;
    return find_era(message, lines, fault);
}

void mcp_message_free(struct mcp_message *message)
{
    json_decref(message->root);
    *message = (struct mcp_message){ 0 };
}
