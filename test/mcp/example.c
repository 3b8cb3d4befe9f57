/*
 * example JSON: a server of the Model Context Protocol that has the tools, prompts and resources
 * that the protocol's conformance suite calls by name (example.json), made of the code that
 * answers /mcp. It shows that the suite's scenarios which need a tool of their own pass with that
 * code. Prints its port, and runs until it is killed.
 *
 * What a call answers: `result`, after notifications of `progress` and `logs`. `needs` is a
 * capability without which it is refused. `rounds` are what it asks the client for before, each
 * with the `state` that tells that it was asked.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scope.h"
#include "server/api_call/answer.h"
#include "server/mcp/mcp_turn.h"

#define NO_CAPABILITY ((enum mcp_code) - 32021) /* this server needs none of its clients */

static json_t *table;

static json_t *copy_of(const char *member)
{
    return json_deep_copy(json_object_get(table, member));
}

static json_t *tools(void)
{
    return copy_of("tools");
}

static json_t *prompts(void)
{
    return copy_of("prompts");
}

static json_t *templates(void)
{
    return copy_of("templates");
}

static const char *text_in(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

/* A copy in which {NAME} in any text is the argument of that name. */
static json_t *filled(const json_t *value, const json_t *arguments)
{
    AUTO_FREE char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    AUTO_BUF struct buf out = BUF_EMPTY;

    for (const char *at = text; *at; at++) {
        size_t n = *at == '{' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyzIRU0123456789") : 0;
        AUTO_FREE char *name = n && at[n + 1] == '}' ? strndup(at + 1, n) : NULL;

        if (name) {
            buf_puts(&out, text_in(arguments, name));
            at += n + 1;
        } else {
            buf_putc(&out, *at);
        }
    }
    return json_loads(buf_text(&out), JSON_DECODE_ANY, NULL);
}

static bool can(const struct mcp_message *message, const char *capability)
{
    return json_object_get(mcp_message_meta(message, "clientCapabilities"), capability) != NULL;
}

/* Which capability a request for input needs: "elicitation" of "elicitation/create". */
static bool may_ask(const struct mcp_message *message, const json_t *input)
{
    const char *method = text_in(input, "method");
    AUTO_FREE char *capability = strndup(method, strcspn(method, "/"));

    return can(message, capability);
}

/* Whether all that a round asks for was answered with an object. */
static bool is_answered(const json_t *round, const json_t *responses)
{
    const char *name;
    json_t *input;

    json_object_foreach(json_object_get(round, "inputs"), name, input)
    {
        if (!json_is_object(json_object_get(responses, name)))
            return false;
    }
    return true;
}

/* What a client is asked for in a round, as far as it can answer. */
static json_t *ask(const struct mcp_message *message, const json_t *round)
{
    json_t *inputs = json_object(), *input;
    const char *name;

    json_object_foreach(json_object_get(round, "inputs"), name, input)
    {
        if (may_ask(message, input))
            json_object_set(inputs, name, input);
    }
    return json_pack("{ss so sO*}", "resultType", "input_required", "inputRequests", inputs,
                     "requestState", json_object_get(round, "state"));
}

/* The round that comes next; NULL: none, or with the fault set, the state is not one that was
 * given. */
static const json_t *next_round(const struct mcp_message *message, const json_t *call,
                                struct mcp_fault *fault)
{
    const json_t *rounds = json_object_get(call, "rounds"), *round;
    const json_t *responses = json_object_get(message->params, "inputResponses");
    const char *state = text_in(message->params, "requestState");
    size_t i;

    fault->text[0] = '\0';
    json_array_foreach(rounds, i, round)
    {
        if (strcmp(state, text_in(round, "state")) != 0)
            continue;
        return is_answered(round, responses) ? json_array_get(rounds, i + 1) : round;
    }
    if (*state)
        mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "requestState is not one that was given");
    return *state ? NULL : json_array_get(rounds, 0);
}

/* The result of a call or a prompt; NULL with the fault set. */
static json_t *result_of(const struct mcp_message *message, const json_t *call,
                         struct mcp_fault *fault)
{
    const json_t *needed = json_object_get(call, "needs"), *round;
    const char *needs = json_string_value(needed);

    if (!call)
        return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "there is no such name"), NULL;
    if (needs && !can(message, needs)) {
        mcp_fault_set(fault, 400, NO_CAPABILITY, "the client does not have %s", needs);
        fault->data = json_pack("{s{s{}}}", "requiredCapabilities", needs);
        return NULL;
    }
    round = message->modern ? next_round(message, call, fault) : NULL;
    if (message->modern && fault->text[0])
        return NULL;
    return round ? ask(message, round)
                 : filled(json_object_get(call, "result"),
                          json_object_get(message->params, "arguments"));
}

static json_t *prompt(const struct mcp_message *message, struct mcp_fault *fault)
{
    return result_of(
        message,
        json_object_get(json_object_get(table, "answers"), text_in(message->params, "name")),
        fault);
}

static json_t *completion(const json_t *params, struct mcp_fault *fault)
{
    const char *name = text_in(json_object_get(params, "ref"), "name");

    if (!json_object_get(json_object_get(table, "answers"), name))
        return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "there is no such prompt"), NULL;
    return json_pack("{s{s[] si sb}}", "completion", "values", "total", 0, "hasMore", 0);
}

/* For clients of the latest revision alone, all results may be kept no time. */
static json_t *fresh(json_t *result, bool modern)
{
    if (modern)
        json_object_update_new(result, json_pack("{si ss}", "ttlMs", 0, "cacheScope", "private"));
    return result;
}

/* test://template/ID/data, or an address in the table. */
static json_t *read_resource(const struct mcp_message *message, struct mcp_fault *fault)
{
    const char *uri = text_in(message->params, "uri");
    const json_t *found = json_object_get(json_object_get(table, "contents"), uri);
    json_t *contents = found ? json_deep_copy(found) : NULL;
    char id[20];

    if (!contents && sscanf(uri, "test://template/%19[0-9]/data", id) == 1)
        contents = json_pack("{ss so}", "mimeType", "application/json", "text",
                             json_sprintf("{\"id\":\"%s\"}", id));
    if (contents) {
        json_object_set_new(contents, "uri", json_string(uri));
        return fresh(json_pack("{s[o]}", "contents", contents), message->modern);
    }
    mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "there is no such resource");
    fault->data = json_pack("{ss}", "uri", uri);
    return NULL;
}

static void notify(struct mcp_turn *turn, const json_t *call)
{
    const json_t *each;
    size_t i;

    json_array_foreach(json_object_get(call, "progress"), i, each)
    {
        mcp_turn_progress(turn, json_number_value(each), 100, NULL);
    }
    json_array_foreach(json_object_get(call, "logs"), i, each)
    {
        mcp_turn_log(turn, "info", "example", json_deep_copy(each));
    }
}

static void start(struct mcp_turn *turn)
{
    const struct mcp_message *message = &turn->message;
    const json_t *call =
        json_object_get(json_object_get(table, "calls"), text_in(message->params, "name"));
    struct mcp_fault fault;
    json_t *result;

    if (strcmp(message->method, "resources/list") == 0) {
        result = fresh(json_pack("{so}", "resources", copy_of("resources")), message->modern);
    } else if (strcmp(message->method, "resources/read") == 0) {
        result = read_resource(message, &fault);
    } else {
        notify(turn, call);
        result = result_of(message, call, &fault);
    }
    if (result)
        mcp_turn_answer(turn, result);
    else
        mcp_turn_refuse(turn, &fault);
}

static const struct mcp_offer offer = {
    .name = "example",
    .description = "What the conformance suite calls by name",
    .instructions = "This server is for a test.",
    .logs = true,
    .tools = tools,
    .prompts = prompts,
    .templates = templates,
    .prompt = prompt,
    .completion = completion,
    .start = start,
};

static enum http_next refuse(struct http_response *resp, const struct err *err)
{
    resp->status = 400;
    buf_puts(&resp->body, err->msg);
    return HTTP_ANSWER;
}

static enum http_next begin(struct http_request *req, struct http_response *resp)
{
    struct mcp_turn *turn = calloc(1, sizeof *turn);
    struct err err;

    if (!turn)
        return refuse(resp, (err_sys(&err, "a turn"), &err));
    req->state = turn;
    mcp_turn_init(turn, &offer, req);
    return mcp_turn_head(turn, &err) < 0 ? refuse(resp, &err) : HTTP_CONTINUE;
}

static enum http_next body(struct http_request *req, const void *data, size_t n,
                           struct http_response *resp)
{
    struct err err;

    return mcp_turn_body(req->state, data, n, &err) < 0 ? refuse(resp, &err) : HTTP_CONTINUE;
}

static enum http_next end(struct http_request *req, struct http_response *resp)
{
    return mcp_turn_end(req->state, resp);
}

static void done(struct http_request *req)
{
    if (req->state)
        mcp_turn_free(req->state);
    free(req->state);
    req->state = NULL;
}

static void problem(struct http_request *req, const struct err *err, struct http_response *resp)
{
    (void) req;
    refuse(resp, err);
    resp->status = err_status(err->code);
}

int main(int argc, char **argv)
{
    static const struct http_route routes[] = { { "POST", "/mcp", begin, body, end, done, NULL } };
    const struct http_server_config config = {
        .address = "127.0.0.1",
        .routes = routes,
        .n_routes = COUNT(routes),
        .problem = problem,
        .threads = 2,
        .max_connections = 50,
        .idle_timeout_ms = 60000,
        .header_timeout_ms = 10000,
        .min_body_rate = 1,
        .body_grace_ms = 10000,
    };
    struct http_server *server;
    struct err err;

    table = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, NULL) : NULL;
    server = table ? http_server_open(&config, &err) : NULL;
    if (!server) {
        fprintf(stderr, "example: %s\n", table ? err.msg : "the table cannot be read");
        return 1;
    }
    printf("%u\n", http_server_port(server));
    fflush(stdout);
    for (;;)
        pause();
}
