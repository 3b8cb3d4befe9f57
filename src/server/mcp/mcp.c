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
#include "server/mcp/mcp_follow.h"
#include "server/mcp/mcp_listen.h"
#include "server/mcp/mcp_prompts.h"
#include "server/mcp/mcp_resources.h"
#include "server/mcp/mcp_tools.h"
#include "server/mcp/mcp_turn.h"

#define MOST_TEXT 60 /* of what a client sent, in a message or a log line */

static const char instructions[] =
    "platen does things to PDF files, pictures and office documents: merge, split, compress, "
    "convert, OCR, sign, protect and more. Files never go through messages: name them by handles. "
    "A handle is an https address, upload:ID (upload_ticket makes one) or job:ID (the result of an "
    "earlier run). 1. find_tool tells which tool does what and which params it has. 2. run starts "
    "one or several steps and answers with the result's handle, links, page counts and warnings. "
    "3. status waits for a job that was not done yet. Give links to the user; do not fetch them "
    "yourself unless you need the content.";

struct exchange {
    struct call call; /* first: answer_finish finds it here */
    struct mcp_turn turn;
    struct mcp_call tool;
    struct mcp_follow follow;
    struct mcp_listen listen;
    struct inner_ask ask;
    struct inner_host host;
    /* Requests to the API that are not answered yet, while the stream is open: the client may leave
     * then. */
    int asks;
    pthread_mutex_t lock;
    pthread_cond_t answered;
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

    if (!config->mcp)
        return err_set(err, ERR_NOT_FOUND,
                       "the Model Context Protocol is off on this server: its operator can set mcp "
                       "= true");
    if (check_page(req, config, err) < 0)
        return -1;
    if (!call_key_text(req)) /* a browser's cookie is for the page */
        return err_set(err, ERR_MISSING_API_KEY,
                       "send your API key in the header Authorization: Bearer KEY");
    return call_begin(req, &exchange->call, err) < 0 ? -1 : mcp_turn_head(&exchange->turn, err);
}

static struct exchange *exchange_of(struct mcp_turn *turn)
{
    return turn->req->state;
}

/* What a job warns of, for clients that ask for log messages. */
static void log_warnings(struct exchange *exchange, const json_t *result)
{
    const json_t *job = json_object_get(result, "structuredContent"), *warning;
    size_t i;

    json_array_foreach(json_object_get(job, "warnings"), i, warning)
    {
        mcp_turn_log(&exchange->turn, "warning", "job", json_deep_copy(warning));
    }
}

/* The answer, once the API's are all there. */
static void answer_call(struct exchange *exchange)
{
    struct mcp_call *tool = &exchange->tool;
    json_t *result = tool->result;

    tool->result = NULL;
    log_warnings(exchange, result);
    call_refresh(exchange->turn.req, &exchange->call);
    if (tool->refused)
        mcp_turn_refuse(&exchange->turn, &tool->fault);
    else
        mcp_turn_answer(&exchange->turn, result);
}

/* The bytes of an answer, of a file only if it is as short as what is shown of one. */
static void read_answer(const struct http_response *resp, size_t most, struct buf *out)
{
    struct err err;
    ssize_t n = 0;
    void *room;

    if (!resp->has_file) {
        buf_put(out, resp->body.data, resp->body.len);
        return;
    }
    room = resp->file_bytes <= (int64_t) most ? buf_room(out, most) : NULL;
    if (room)
        n = fdio_read_at(resp->file, room, (size_t) resp->file_bytes, resp->file_offset, &err);
    if (n > 0)
        buf_added(out, (size_t) n);
}

static void go_on(struct exchange *exchange, enum mcp_call_next next);

static void count_asks(struct exchange *exchange, int more)
{
    pthread_mutex_lock(&exchange->lock);
    exchange->asks += more;
    if (exchange->asks == 0)
        pthread_cond_signal(&exchange->answered);
    pthread_mutex_unlock(&exchange->lock);
}

static bool is_asking(struct exchange *exchange)
{
    int asks;

    pthread_mutex_lock(&exchange->lock);
    asks = exchange->asks;
    pthread_mutex_unlock(&exchange->lock);
    return asks > 0;
}

static void got_answer(void *arg, struct http_response *resp)
{
    struct exchange *exchange = arg;
    struct mcp_call *tool = &exchange->tool;
    const bool open = exchange->turn.open; /* else the exchange may be gone after its answer */
    AUTO_BUF struct buf body = BUF_EMPTY;

    read_answer(resp, tool->most, &body);
    go_on(exchange, mcp_call_answer(tool, resp->status, buf_text(&body), body.len));
    if (open)
        count_asks(exchange, -1);
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
    if (exchange->turn.open)
        count_asks(exchange, 1);
    inner_start(exchange->turn.req, &exchange->host, &exchange->ask, got_answer, exchange);
}

static void refuse_params(struct exchange *exchange, const char *why, const char *shown)
{
    struct mcp_fault fault;

    mcp_fault_set(&fault, 200, MCP_INVALID_PARAMS, "%s%s", why, shown);
    mcp_turn_refuse(&exchange->turn, &fault);
}

/* The stream asks what there is to say. */
static void look_at_job(void *arg)
{
    struct exchange *exchange = arg;
    enum mcp_follow_news news;

    if (is_asking(exchange))
        return;
    news = mcp_follow_look(&exchange->follow);
    if (news != MCP_FOLLOW_NOTHING)
        go_on(exchange, mcp_call_look(&exchange->tool, news == MCP_FOLLOW_LAST));
}

static void follow_job(struct exchange *exchange)
{
    struct mcp_turn *turn = &exchange->turn;
    struct mcp_call *tool = &exchange->tool;
    char text[ID_TEXT + 40];
    struct err err;

    if (turn->open) /* it is followed already */
        return;
    if (mcp_follow_begin(&exchange->follow, turn, tool->job_id, exchange->call.key.id,
                         tool->seconds, &err) < 0) {
        go_on(exchange, mcp_call_await(tool));
        return;
    }
    snprintf(text, sizeof text, "job:%s was accepted", tool->job_id);
    mcp_turn_progress(turn, 0, 100, text);
    mcp_turn_log(turn, "info", "job", json_string(text));
    mcp_turn_open(turn, look_at_job, exchange);
}

/* The stream of a subscription asks what there is to say. */
static void look_at_jobs(void *arg)
{
    struct exchange *exchange = arg;

    if (!mcp_listen_look(&exchange->listen))
        mcp_turn_answer(&exchange->turn, mcp_listen_result(&exchange->listen));
}

/* Asks for the state of each job, then begins the stream. */
static void listen_on(struct exchange *exchange)
{
    struct mcp_listen *listen = &exchange->listen;
    struct mcp_fault fault;
    struct err err;
    const char *id;
    int next = mcp_listen_next(listen, &id, &err);

    if (next > 0) {
        go_on(exchange, mcp_call_see(&exchange->tool, id));
    } else if (next < 0) {
        mcp_fault_set(&fault, 200, MCP_INTERNAL, "%s: %s", err_name(err.code), err.msg);
        mcp_turn_refuse(&exchange->turn, &fault);
    } else if (mcp_listen_begin(listen)) {
        mcp_turn_open(&exchange->turn, look_at_jobs, exchange);
    } else {
        mcp_turn_answer(&exchange->turn, mcp_listen_result(listen));
    }
}

static void start_listening(struct exchange *exchange)
{
    struct mcp_turn *turn = &exchange->turn;
    struct mcp_fault fault;

    if (mcp_listen_read(&exchange->listen, turn, api_of(turn->req)->hub, exchange->call.key.id,
                        &fault) < 0)
        mcp_turn_refuse(turn, &fault);
    else
        listen_on(exchange);
}

static void go_on(struct exchange *exchange, enum mcp_call_next next)
{
    const struct mcp_call *tool = &exchange->tool;

    if (next == MCP_CALL_SEEN) {
        mcp_listen_found(&exchange->listen, !tool->found ? MCP_LISTEN_GONE
                                            : tool->over ? MCP_LISTEN_OVER
                                                         : MCP_LISTEN_PENDING);
        listen_on(exchange);
    } else if (next == MCP_CALL_ASK) {
        ask_api(exchange);
    } else if (next == MCP_CALL_FOLLOW) {
        follow_job(exchange);
    } else {
        answer_call(exchange);
    }
}

static void start_tool(struct exchange *exchange, const json_t *params)
{
    const json_t *arguments = json_object_get(params, "arguments");
    const char *name = json_string_value(json_object_get(params, "name"));
    const struct http_request *req = exchange->turn.req;
    enum mcp_call_next next;
    char shown[MOST_TEXT];

    if (!name || (arguments && !json_is_object(arguments))) {
        refuse_params(exchange, "tools/call needs name, a text, and arguments, an object", "");
        return;
    }
    text_for_message(name, strlen(name), shown, sizeof shown);
    next = mcp_call_begin(&exchange->tool, api_of(req)->catalog, name, arguments,
                          mcp_turn_wants_stream(&exchange->turn));
    log_info("mcp.call", KV("request", req->id), KV("tool", shown),
             KV("key", exchange->call.key.prefix));
    if (next == MCP_CALL_NONE)
        refuse_params(
            exchange,
            "Unknown tool; there are find_tool, run, status, upload_ticket, workflows and "
            "usage, and not ",
            shown);
    else
        go_on(exchange, next);
}

static void start_turn(struct mcp_turn *turn)
{
    const json_t *params = turn->message.params, *cursor = json_object_get(params, "cursor");
    const char *method = turn->message.method;
    const char *uri = json_string_value(json_object_get(params, "uri"));
    struct exchange *exchange = exchange_of(turn);

    if (strcmp(method, "tools/call") == 0) {
        start_tool(exchange, params);
        return;
    }
    log_info("mcp.resources", KV("request", turn->req->id), KV("method", method),
             KV("key", exchange->call.key.prefix));
    if (strcmp(method, "subscriptions/listen") == 0)
        start_listening(exchange);
    else if (strcmp(method, "resources/list") == 0)
        go_on(exchange, mcp_call_list(&exchange->tool,
                                      json_is_string(cursor) ? json_string_value(cursor) : NULL,
                                      turn->message.modern));
    else if (uri)
        go_on(exchange, mcp_call_read(&exchange->tool, uri, turn->message.modern));
    else
        refuse_params(exchange, "resources/read needs uri, a text", "");
}

static const struct mcp_offer offer = {
    .name = "platen",
    .description = "PDF tools as jobs",
    .instructions = instructions,
    .logs = true,
    .subscribes = true,
    .tools = mcp_tools_list,
    .prompts = mcp_prompts_list,
    .templates = mcp_resources_templates,
    .prompt = mcp_prompts_get,
    .completion = mcp_prompts_complete,
    .start = start_turn,
};

const struct mcp_offer *mcp_own_offer(void)
{
    return &offer;
}

enum http_next mcp_begin(struct http_request *req, struct http_response *resp)
{
    struct exchange *exchange = calloc(1, sizeof *exchange);
    struct err err;

    req->state = exchange;
    if (!exchange)
        return answer_error(req, resp, (err_sys(&err, "mcp"), &err));
    mcp_turn_init(&exchange->turn, &offer, req);
    pthread_mutex_init(&exchange->lock, NULL);
    pthread_cond_init(&exchange->answered, NULL);
    return check_head(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

enum http_next mcp_body(struct http_request *req, const void *data, size_t n,
                        struct http_response *resp)
{
    struct exchange *exchange = req->state;
    struct err err;

    return mcp_turn_body(&exchange->turn, data, n, &err) < 0 ? answer_error(req, resp, &err)
                                                             : HTTP_CONTINUE;
}

enum http_next mcp_end(struct http_request *req, struct http_response *resp)
{
    struct exchange *exchange = req->state;

    return mcp_turn_end(&exchange->turn, resp);
}

/* The client has left, and the API is still asked for it. It does not wait for jobs then. */
static void await_answer(struct exchange *exchange)
{
    pthread_mutex_lock(&exchange->lock);
    while (exchange->asks > 0)
        pthread_cond_wait(&exchange->answered, &exchange->lock);
    pthread_mutex_unlock(&exchange->lock);
    pthread_cond_destroy(&exchange->answered);
    pthread_mutex_destroy(&exchange->lock);
}

void mcp_done(struct http_request *req)
{
    struct exchange *exchange = req->state;

    if (exchange) {
        await_answer(exchange);
        mcp_follow_end(&exchange->follow);
        mcp_listen_end(&exchange->listen);
        mcp_turn_free(&exchange->turn);
        mcp_call_free(&exchange->tool);
    }
    free(exchange);
    req->state = NULL;
}
