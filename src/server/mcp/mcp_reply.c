#include "server/mcp/mcp_reply.h"

#include <string.h>

#include "base/version.h"
#include "server/mcp/mcp_prompts.h"
#include "server/mcp/mcp_tools.h"

/* How long clients may keep lists, which change with the program alone. */
#define FRESH_MS 3600000

static const char instructions[] =
    "platen does things to PDF files, pictures and office documents: merge, split, compress, "
    "convert, OCR, sign, protect and more. Files never go through messages: name them by handles. "
    "A handle is an https address, upload:ID (upload_ticket makes one) or job:ID (the result of an "
    "earlier run). 1. find_tool tells which tool does what and which params it has. 2. run starts "
    "one or several steps and answers with the result's handle, links, page counts and warnings. "
    "3. status waits for a job that was not done yet. Give links to the user; do not fetch them "
    "yourself unless you need the content.";

static json_t *server_info(void)
{
    return json_pack("{ss ss ss ss}", "name", "platen", "title", "platen", "version",
                     PLATEN_VERSION, "description", "PDF tools as jobs");
}

static json_t *list_revisions(void)
{
    json_t *list = json_array();

    for (size_t i = 0; mcp_message_revision(i); i++)
        json_array_append_new(list, json_string(mcp_message_revision(i)));
    return list;
}

static json_t *new_reply(const struct mcp_message *message)
{
    json_t *reply = json_pack("{ss}", "jsonrpc", "2.0");

    if (message->id)
        json_object_set_new(reply, "id", json_deep_copy(message->id));
    return reply;
}

json_t *mcp_reply_result(const struct mcp_message *message, json_t *result)
{
    json_t *reply = new_reply(message);

    if (message->modern) {
        json_object_set_new(result, "resultType", json_string("complete"));
        json_object_set_new(result, "_meta",
                            json_pack("{so}", MCP_META "serverInfo", server_info()));
    }
    json_object_set_new(reply, "result", result);
    return reply;
}

json_t *mcp_reply_fault(const struct mcp_message *message, const struct mcp_fault *fault)
{
    json_t *reply = new_reply(message);
    json_t *error = json_pack("{si ss}", "code", (int) fault->code, "message", fault->text);

    if (fault->code == MCP_NO_REVISION)
        json_object_set_new(
            error, "data",
            json_pack("{so ss}", "supported", list_revisions(), "requested", fault->requested));
    json_object_set_new(reply, "error", error);
    return reply;
}

static json_t *capabilities(void)
{
    return json_pack("{s{} s{} s{}}", "tools", "prompts", "completions");
}

static json_t *initialize(const struct mcp_message *message, struct mcp_fault *fault)
{
    const char *asked = json_string_value(json_object_get(message->params, "protocolVersion"));
    const char *agreed = mcp_message_revision(1);

    if (!asked) {
        mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "initialize needs protocolVersion");
        return NULL;
    }
    for (size_t i = 1; mcp_message_revision(i); i++)
        if (strcmp(asked, mcp_message_revision(i)) == 0)
            agreed = mcp_message_revision(i);
    return json_pack("{ss so so ss}", "protocolVersion", agreed, "capabilities", capabilities(),
                     "serverInfo", server_info(), "instructions", instructions);
}

static json_t *keepable(json_t *result, bool modern)
{
    if (modern) {
        json_object_set_new(result, "ttlMs", json_integer(FRESH_MS));
        json_object_set_new(result, "cacheScope", json_string("public"));
    }
    return result;
}

static json_t *discover(void)
{
    return keepable(json_pack("{so so ss}", "supportedVersions", list_revisions(), "capabilities",
                              capabilities(), "instructions", instructions),
                    true);
}

json_t *mcp_reply_plain(const struct mcp_message *message, struct mcp_fault *fault)
{
    const char *method = message->method;

    if (strcmp(method, "tools/list") == 0)
        return keepable(json_pack("{so}", "tools", mcp_tools_list()), message->modern);
    if (strcmp(method, "prompts/list") == 0)
        return keepable(mcp_prompts_list(), message->modern);
    if (strcmp(method, "prompts/get") == 0)
        return mcp_prompts_get(message->params, fault);
    if (strcmp(method, "completion/complete") == 0)
        return mcp_prompts_complete(message->params, fault);
    if (message->modern && strcmp(method, "server/discover") == 0)
        return discover();
    if (!message->modern && strcmp(method, "initialize") == 0)
        return initialize(message, fault);
    if (!message->modern && strcmp(method, "ping") == 0)
        return json_object();
    mcp_fault_set(fault, message->modern ? 404 : 200, MCP_NO_METHOD,
                  "Method not found: this server has tools/list, tools/call, prompts/list, "
                  "prompts/get and completion/complete");
    return NULL;
}
