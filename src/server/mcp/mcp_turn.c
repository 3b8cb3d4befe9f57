#include "server/mcp/mcp_turn.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "server/api_call/answer.h"
#include "server/mcp/mcp_reply.h"

/* RFC 5424, section 6.2.1, from the least to the most severe. */
static const char *const levels[] = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
};

void mcp_turn_init(struct mcp_turn *turn, const struct mcp_offer *offer, struct http_request *req)
{
    const char *accept = http_header(req, "Accept");

    *turn = (struct mcp_turn){ .offer = offer, .req = req };
    turn->accepts = accept && strcasestr(accept, "text/event-stream");
    pthread_mutex_init(&turn->lock, NULL);
}

void mcp_turn_free(struct mcp_turn *turn)
{
    buf_free(&turn->body);
    buf_free(&turn->events);
    mcp_message_free(&turn->message);
    pthread_mutex_destroy(&turn->lock);
}

int mcp_turn_head(const struct mcp_turn *turn, struct err *err)
{
    const char *type = http_header(turn->req, "Content-Type");

    if (!type || strncasecmp(type, "application/json", 16) != 0)
        return err_set(err, ERR_UNSUPPORTED_MEDIA_TYPE, "send a message as application/json");
    if (turn->req->content_length > (int64_t) MCP_BYTES)
        return err_set(err, ERR_FILE_TOO_LARGE,
                       "a message has at most %zu bytes; files are named by handles, never sent in "
                       "messages",
                       MCP_BYTES);
    return 0;
}

int mcp_turn_body(struct mcp_turn *turn, const void *data, size_t n, struct err *err)
{
    if (turn->body.len + n > MCP_BYTES)
        return err_set(err, ERR_FILE_TOO_LARGE, "a message has at most %zu bytes", MCP_BYTES);
    buf_put(&turn->body, data, n);
    return 0;
}

static enum http_next answer_message(struct http_response *resp, int status, json_t *message)
{
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, status, message);
}

/* Takes the reference. */
static void put_event(struct mcp_turn *turn, json_t *message)
{
    AUTO_FREE char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

    json_decref(message);
    pthread_mutex_lock(&turn->lock);
    buf_printf(&turn->events, "event: message\ndata: %s\n\n", text ? text : "");
    if (!text)
        turn->events.failed = true;
    pthread_mutex_unlock(&turn->lock);
}

static void begin_stream(struct http_response *resp)
{
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    http_response_header(resp, "Content-Type", "%s", "text/event-stream");
    http_response_header(resp, "X-Accel-Buffering", "%s", "no"); /* nginx would hold it back */
}

/* The last message of the turn. */
static void finish(struct mcp_turn *turn, int status, json_t *message)
{
    struct http_response *resp;
    bool wakes;

    if (turn->open) {
        put_event(turn, message);
        pthread_mutex_lock(&turn->lock);
        turn->ended = true;
        wakes = !turn->asking; /* else the source looks when `more` returns */
        pthread_mutex_unlock(&turn->lock);
        if (wakes)
            http_stream_wake(turn->req);
        return;
    }
    resp = http_later(turn->req);
    if (turn->events.len) {
        put_event(turn, message);
        begin_stream(resp);
        buf_put(&resp->body, turn->events.data, turn->events.len);
    } else {
        answer_message(resp, status, message);
    }
    http_resume(turn->req);
}

void mcp_turn_answer(struct mcp_turn *turn, json_t *result)
{
    finish(turn, 200, result ? mcp_reply_result(turn->offer, &turn->message, result) : NULL);
}

void mcp_turn_refuse(struct mcp_turn *turn, const struct mcp_fault *fault)
{
    finish(turn, fault->status, mcp_reply_fault(&turn->message, fault));
}

enum http_next mcp_turn_end(struct mcp_turn *turn, struct http_response *resp)
{
    struct http_request *req = turn->req;
    const struct mcp_lines lines = { http_header(req, "MCP-Protocol-Version"),
                                     http_header(req, "Mcp-Method"), http_header(req, "Mcp-Name") };
    struct mcp_fault fault = { .status = 200, .code = MCP_INTERNAL, .text = "out of memory" };
    const struct mcp_message *message = &turn->message;
    json_t *result;

    if (mcp_message_read(&turn->message, buf_text(&turn->body), turn->body.len, &lines, &fault) < 0)
        return answer_message(resp, fault.status, mcp_reply_fault(message, &fault));
    if (message->kind != MCP_REQUEST) {
        resp->status = 202;
        return HTTP_ANSWER;
    }
    if (mcp_reply_is_slow(turn->offer, message)) {
        turn->offer->start(turn);
        return HTTP_LATER;
    }
    result = mcp_reply_plain(turn->offer, message, &fault);
    return answer_message(resp, result ? 200 : fault.status,
                          result ? mcp_reply_result(turn->offer, message, result)
                                 : mcp_reply_fault(message, &fault));
}

static const json_t *progress_token(const struct mcp_turn *turn)
{
    const json_t *meta = json_object_get(turn->message.params, "_meta");
    const json_t *token = json_object_get(meta, "progressToken");

    return json_is_string(token) || json_is_integer(token) ? token : NULL;
}

void mcp_turn_note(struct mcp_turn *turn, const char *method, json_t *params)
{
    put_event(turn, mcp_reply_note(method, params));
}

void mcp_turn_beat(struct mcp_turn *turn)
{
    pthread_mutex_lock(&turn->lock);
    if (turn->events.len == turn->sent)
        buf_puts(&turn->events, ":\n\n");
    pthread_mutex_unlock(&turn->lock);
}

static bool wants_progress(const struct mcp_turn *turn)
{
    return turn->accepts && progress_token(turn);
}

void mcp_turn_progress(struct mcp_turn *turn, double progress, double total, const char *text)
{
    if (wants_progress(turn))
        mcp_turn_note(turn, "notifications/progress",
                      json_pack("{so sf sf ss*}", "progressToken",
                                json_deep_copy(progress_token(turn)), "progress", progress, "total",
                                total, "message", text));
}

static size_t rank(const char *level)
{
    size_t i = 0;

    while (i < COUNT(levels) && (!level || strcmp(levels[i], level) != 0))
        i++;
    return i;
}

static bool wants_log(const struct mcp_turn *turn, const char *level)
{
    const json_t *asked = mcp_message_meta(&turn->message, "logLevel");

    return turn->accepts && turn->offer->logs && turn->message.modern &&
           rank(level) >= rank(json_string_value(asked)) && json_is_string(asked) &&
           rank(json_string_value(asked)) < COUNT(levels);
}

void mcp_turn_log(struct mcp_turn *turn, const char *level, const char *logger, json_t *data)
{
    if (wants_log(turn, level))
        put_event(turn, mcp_reply_note("notifications/message",
                                       json_pack("{ss ss so}", "level", level, "logger", logger,
                                                 "data", data)));
    else
        json_decref(data);
}

bool mcp_turn_wants_stream(const struct mcp_turn *turn)
{
    return wants_progress(turn) || wants_log(turn, "info");
}

static ssize_t give(void *arg, char *out, size_t cap)
{
    struct mcp_turn *turn = arg;
    ssize_t n = -1;

    pthread_mutex_lock(&turn->lock);
    if (turn->sent == turn->events.len && !turn->ended) {
        buf_free(&turn->events);
        turn->sent = 0;
        turn->asking = true;
        pthread_mutex_unlock(&turn->lock);
        turn->more(turn->arg);
        pthread_mutex_lock(&turn->lock);
        turn->asking = false;
    }
    if (!turn->events.failed && (turn->sent < turn->events.len || !turn->ended)) {
        size_t left = turn->events.len - turn->sent;

        n = (ssize_t) (left < cap ? left : cap);
        if (n > 0)
            memcpy(out, turn->events.data + turn->sent, (size_t) n);
        turn->sent += (size_t) n;
    }
    pthread_mutex_unlock(&turn->lock);
    return n;
}

void mcp_turn_open(struct mcp_turn *turn, void (*more)(void *arg), void *arg)
{
    struct http_response *resp = http_later(turn->req);

    turn->open = true;
    turn->more = more;
    turn->arg = arg;
    begin_stream(resp);
    resp->source = (struct http_source){ give, turn };
    http_resume(turn->req);
}
