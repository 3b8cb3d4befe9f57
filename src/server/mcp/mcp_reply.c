#include "server/mcp/mcp_reply.h"

#include <string.h>

#include "base/scope.h"
#include "base/version.h"

/* How long clients may keep lists, which change with the program alone. */
#define FRESH_MS 3600000

static json_t *server_info(const struct mcp_offer *offer)
{
    return json_pack("{ss ss ss ss}", "name", offer->name, "title", offer->name, "version",
                     PLATEN_VERSION, "description", offer->description);
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

json_t *mcp_reply_result(const struct mcp_offer *offer, const struct mcp_message *message,
                         json_t *result)
{
    json_t *reply = new_reply(message);

    if (message->modern) {
        if (!json_object_get(result, "resultType"))
            json_object_set_new(result, "resultType", json_string("complete"));
        if (!json_object_get(result, "_meta"))
            json_object_set_new(result, "_meta", json_object());
        json_object_set_new(json_object_get(result, "_meta"), MCP_META "serverInfo",
                            server_info(offer));
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
    else if (fault->data)
        json_object_set_new(error, "data", fault->data);
    json_object_set_new(reply, "error", error);
    return reply;
}

json_t *mcp_reply_note(const char *method, json_t *params)
{
    return json_pack("{ss ss so}", "jsonrpc", "2.0", "method", method, "params", params);
}

static json_t *capabilities(const struct mcp_offer *offer, bool modern)
{
    json_t *all = json_pack("{s{} s{} s{} s{}}", "tools", "prompts", "completions", "resources");

    /* Older revisions set the level and subscribe for a session, and there are no sessions. */
    if (modern && offer->logs)
        json_object_set_new(all, "logging", json_object());
    if (modern && offer->subscribes)
        json_object_set_new(all, "resources", json_pack("{sb}", "subscribe", 1));
    return all;
}

static json_t *initialize(const struct mcp_offer *offer, const struct mcp_message *message,
                          struct mcp_fault *fault)
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
    return json_pack("{ss so so ss}", "protocolVersion", agreed, "capabilities",
                     capabilities(offer, false), "serverInfo", server_info(offer), "instructions",
                     offer->instructions);
}

static json_t *keepable(json_t *result, bool modern)
{
    if (modern) {
        json_object_set_new(result, "ttlMs", json_integer(FRESH_MS));
        json_object_set_new(result, "cacheScope", json_string("public"));
    }
    return result;
}

static json_t *list_of(const char *name, json_t *array, const struct mcp_message *message)
{
    return array ? keepable(json_pack("{so}", name, array), message->modern) : NULL;
}

static json_t *discover(const struct mcp_offer *offer)
{
    return keepable(json_pack("{so so ss}", "supportedVersions", list_revisions(), "capabilities",
                              capabilities(offer, true), "instructions", offer->instructions),
                    true);
}

bool mcp_reply_is_slow(const struct mcp_offer *offer, const struct mcp_message *message)
{
    static const char *const methods[] = { "tools/call", "resources/list", "resources/read" };

    for (size_t i = 0; i < COUNT(methods); i++)
        if (strcmp(methods[i], message->method) == 0)
            return true;
    return message->modern && offer->subscribes &&
           strcmp(message->method, "subscriptions/listen") == 0;
}

json_t *mcp_reply_plain(const struct mcp_offer *offer, const struct mcp_message *message,
                        struct mcp_fault *fault)
{
    const char *method = message->method;

    if (strcmp(method, "tools/list") == 0)
        return list_of("tools", offer->tools(), message);
    if (strcmp(method, "prompts/list") == 0)
        return list_of("prompts", offer->prompts(), message);
    if (strcmp(method, "resources/templates/list") == 0)
        return list_of("resourceTemplates", offer->templates(), message);
    if (strcmp(method, "prompts/get") == 0)
        return offer->prompt(message, fault);
    if (strcmp(method, "completion/complete") == 0)
        return offer->completion(message->params, fault);
    if (message->modern && strcmp(method, "server/discover") == 0)
        return discover(offer);
    if (!message->modern && strcmp(method, "initialize") == 0)
        return initialize(offer, message, fault);
    if (!message->modern && strcmp(method, "ping") == 0)
        return json_object();
    mcp_fault_set(fault, message->modern ? 404 : 200, MCP_NO_METHOD,
                  "Method not found: this server has the methods list and call of tools, list and "
                  "get of prompts, list, templates/list and read of resources, and "
                  "completion/complete");
    return NULL;
}
