/* Input: the header lines MCP-Protocol-Version, Mcp-Method and Mcp-Name, each on a line, "-" for
 * none, then a message of the Model Context Protocol. Each message is answered by one that JSON
 * can hold. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"
#include "server/mcp/mcp.h"
#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_tools.h"

/* Cuts the next line off. */
static const char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');

    if (end)
        *end = '\0';
    *at = end ? end + 1 : line + strlen(line);
    return strcmp(line, "-") == 0 ? NULL : line;
}

static json_t *answer_call(const struct mcp_message *message, struct mcp_fault *fault)
{
    const char *name = json_string_value(json_object_get(message->params, "name"));
    const json_t *arguments = json_object_get(message->params, "arguments");
    char why[200] = "";

    if (!name || (arguments && !json_is_object(arguments)))
        return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "params"), NULL;
    if (mcp_tools_check(name, arguments, why, sizeof why) < 0 && !*why)
        abort(); /* a refusal without a reason */
    return json_pack("{ss}", "why", why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct mcp_message message;
    const struct mcp_offer *offer = mcp_own_offer();
    struct mcp_fault fault = { .status = 200, .code = MCP_INTERNAL };
    struct mcp_lines lines;
    json_t *result = NULL, *reply;
    char *at;

    buf_put(&text, data, n);
    buf_putc(&text, '\n');
    if (text.failed)
        return 0;
    at = text.data;
    lines.revision = next_line(&at);
    lines.method = next_line(&at);
    lines.name = next_line(&at);
    if (mcp_message_read(&message, at, (size_t) (text.data + text.len - at), &lines, &fault) == 0 &&
        message.kind == MCP_REQUEST)
        result = strcmp(message.method, "tools/call") == 0
                     ? answer_call(&message, &fault)
                     : mcp_reply_plain(offer, &message, &fault);
    else if (message.kind != MCP_REQUEST)
        mcp_fault_set(&fault, 202, MCP_INVALID_REQUEST, "no request");
    reply = result ? mcp_reply_result(offer, &message, result) : mcp_reply_fault(&message, &fault);
    if (!reply)
        abort();
    free(json_dumps(reply, 0));
    json_decref(reply);
    mcp_message_free(&message);
    return 0;
}
