#include "server/mcp/mcp.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fdio.h"
#include "base/system/log.h"
#include "declare/value/text.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/cors.h"
#include "server/http/inner.h"
#include "server/mcp/mcp_call.h"
#include "server/mcp/mcp_message.h"
#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_show.h"

#define MOST_TEXT 60 /* of what a client sent, in a message or a log line */

struct exchange {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct buf body;
    struct mcp_message message;
    struct mcp_call tool;
    struct inner_ask ask;
    struct inner_host host;
};

/* Headers that concern the outer request alone. */
static const char *const withheld[] = {
    "Accept",
    "Content-Encoding",
    "Content-Length",
    "Content-Type",
    "Cookie",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "Last-Event-ID",
    "Origin",
    "Prefer",
    "If-Unmodified-Since",
    "Platen-Page",
    "Range",
    "Upload-Offset",
    "X-Input-Password",
    "Transfer-Encoding",
    NULL,
};

/* Whether an origin is a page of this machine, whatever its port is. */
static bool is_local(const char *origin)
{
    static const char *const hosts[] = { "localhost", "127.0.0.1", "[::1]" };
    const char *host = strstr(origin, "://");

    for (size_t i = 0; host && i < COUNT(hosts); i++) {
        size_t n = strlen(hosts[i]);

        if (strncasecmp(host + 3, hosts[i], n) == 0 && (host[3 + n] == '\0' || host[3 + n] == ':'))
            return true;
    }
    return false;
}

/* Whether an origin is that of the configured base_url. The Host of the request does not count: a
 * page whose name was made to resolve to this server (DNS rebinding) has the same. */
static bool is_own_origin(const char *base, const char *origin)
{
    size_t n = strlen(origin);

    return strncasecmp(base, origin, n) == 0 && (base[n] == '\0' || base[n] == '/');
}

static int check_page(const struct http_request *req, const struct config *config, struct err *err)
{
    const char *origin = http_header(req, "Origin");
    char shown[MOST_TEXT];

    if (!origin || !*origin || is_local(origin) || is_own_origin(config->base_url, origin) ||
        cors_is_allowed(req, origin))
        return 0;
    text_for_message(origin, strlen(origin), shown, sizeof shown);
    return err_set(
        err, ERR_FORBIDDEN,
        "pages of %s may not use this address: the setting cors_origins names those that "
        "may",
        shown);
}

static int check_head(struct http_request *req, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    struct exchange *exchange = req->state;
    const char *type = http_header(req, "Content-Type");

    if (!config->mcp)
        return err_set(err, ERR_NOT_FOUND,
                       "the Model Context Protocol is off on this server: its operator can set mcp "
                       "= true");
    if (check_page(req, config, err) < 0)
        return -1;
    if (!call_key_text(req)) /* a browser's cookie is for the page */
        return err_set(err, ERR_MISSING_API_KEY,
                       "send your API key in the header Authorization: Bearer KEY");
    if (call_begin(req, &exchange->call, err) < 0)
        return -1;
    if (!type || strncasecmp(type, "application/json", 16) != 0)
        return err_set(err, ERR_UNSUPPORTED_MEDIA_TYPE, "send a message as application/json");
    if (req->content_length > (int64_t) MCP_BYTES)
        return err_set(err, ERR_FILE_TOO_LARGE,
                       "a message has at most %zu bytes; files are named by handles, never sent in "
                       "messages",
                       MCP_BYTES);
    return 0;
}

enum http_next mcp_begin(struct http_request *req, struct http_response *resp)
{
    struct exchange *exchange = calloc(1, sizeof *exchange);
    struct err err;

    req->state = exchange;
    if (!exchange)
        return answer_error(req, resp, (err_sys(&err, "mcp"), &err));
    exchange->req = req;
    return check_head(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

enum http_next mcp_body(struct http_request *req, const void *data, size_t n,
                        struct http_response *resp)
{
    struct exchange *exchange = req->state;
    struct err err;

    if (exchange->body.len + n <= MCP_BYTES) {
        buf_put(&exchange->body, data, n);
        return HTTP_CONTINUE;
    }
    err_set(&err, ERR_FILE_TOO_LARGE, "a message has at most %zu bytes", MCP_BYTES);
    return answer_error(req, resp, &err);
}

void mcp_done(struct http_request *req)
{
    struct exchange *exchange = req->state;

    if (exchange) {
        buf_free(&exchange->body);
        mcp_message_free(&exchange->message);
        mcp_call_free(&exchange->tool);
    }
    free(exchange);
    req->state = NULL;
}

static enum http_next answer_message(struct http_response *resp, int status, json_t *message)
{
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, status, message);
}

static void answer_call(struct exchange *exchange)
{
    struct http_response *resp = http_later(exchange->req);
    json_t *result = exchange->tool.result;

    exchange->tool.result = NULL;
    call_refresh(exchange->req, &exchange->call);
    answer_message(resp, 200, result ? mcp_reply_result(&exchange->message, result) : NULL);
    http_resume(exchange->req);
}

/* The bytes of an answer, of a file only if it is as short as what is shown of one. */
static void read_answer(const struct http_response *resp, struct buf *out)
{
    struct err err;
    ssize_t n = 0;
    void *room;

    if (!resp->has_file) {
        buf_put(out, resp->body.data, resp->body.len);
        return;
    }
    room = resp->file_bytes <= MCP_SHOW_TEXT ? buf_room(out, MCP_SHOW_TEXT) : NULL;
    if (room)
        n = fdio_read_at(resp->file, room, (size_t) resp->file_bytes, resp->file_offset, &err);
    if (n > 0)
        buf_added(out, (size_t) n);
}

static void ask_api(struct exchange *exchange);

static void got_answer(void *arg, struct http_response *resp)
{
    struct exchange *exchange = arg;
    AUTO_BUF struct buf body = BUF_EMPTY;

    read_answer(resp, &body);
    if (mcp_call_answer(&exchange->tool, resp->status, buf_text(&body), body.len) == MCP_CALL_ASK)
        ask_api(exchange);
    else
        answer_call(exchange);
}

static void ask_api(struct exchange *exchange)
{
    const struct mcp_ask *ask = &exchange->tool.ask;

    exchange->host.routes = api_routes(&exchange->host.n_routes);
    exchange->host.problem = answer_problem;
    exchange->ask = (struct inner_ask){
        .method = ask->method,
        .target = buf_text(&ask->target),
        .headers = { { "Content-Type", *ask->type ? ask->type : NULL },
                     { "Prefer", *ask->prefer ? ask->prefer : NULL } },
        .withheld = withheld,
        .body = ask->body.data,
        .body_bytes = ask->body.len,
    };
    inner_start(exchange->req, &exchange->host, &exchange->ask, got_answer, exchange);
}

static enum http_next refuse_message(struct exchange *exchange, struct http_response *resp,
                                     const struct mcp_fault *fault)
{
    return answer_message(resp, fault->status, mcp_reply_fault(&exchange->message, fault));
}

static enum http_next call_tool(struct exchange *exchange, struct http_response *resp)
{
    const json_t *params = exchange->message.params;
    const json_t *arguments = json_object_get(params, "arguments");
    const char *name = json_string_value(json_object_get(params, "name"));
    enum mcp_call_next next;
    struct mcp_fault fault;
    char shown[MOST_TEXT];

    if (!name || (arguments && !json_is_object(arguments))) {
        mcp_fault_set(&fault, 200, MCP_INVALID_PARAMS,
                      "tools/call needs name, a text, and arguments, an object");
        return refuse_message(exchange, resp, &fault);
    }
    text_for_message(name, strlen(name), shown, sizeof shown);
    next = mcp_call_begin(&exchange->tool, api_of(exchange->req)->catalog, name, arguments);
    log_info("mcp.call", KV("request", exchange->req->id), KV("tool", shown),
             KV("key", exchange->call.key.prefix));
    if (next == MCP_CALL_NONE) {
        mcp_fault_set(&fault, 200, MCP_INVALID_PARAMS,
                      "Unknown tool: %s. There are find_tool, run, status, upload_ticket and usage",
                      shown);
        return refuse_message(exchange, resp, &fault);
    }
    if (next == MCP_CALL_ASK)
        ask_api(exchange);
    else
        answer_call(exchange);
    return HTTP_LATER;
}

enum http_next mcp_end(struct http_request *req, struct http_response *resp)
{
    const struct mcp_lines lines = { http_header(req, "MCP-Protocol-Version"),
                                     http_header(req, "Mcp-Method"), http_header(req, "Mcp-Name") };
    struct exchange *exchange = req->state;
    const struct mcp_message *message = &exchange->message;
    struct mcp_fault fault;
    json_t *result;

    if (mcp_message_read(&exchange->message, buf_text(&exchange->body), exchange->body.len, &lines,
                         &fault) < 0)
        return refuse_message(exchange, resp, &fault);
    if (message->kind != MCP_REQUEST) {
        resp->status = 202;
        return HTTP_ANSWER;
    }
    if (strcmp(message->method, "tools/call") == 0)
        return call_tool(exchange, resp);
    result = mcp_reply_plain(message, &fault);
    return result ? answer_message(resp, 200, mcp_reply_result(message, result))
                  : refuse_message(exchange, resp, &fault);
}
