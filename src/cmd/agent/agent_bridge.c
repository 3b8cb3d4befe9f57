#include "cmd/agent/agent_bridge.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "base/system/crew.h"
#include "cmd/agent/agent_files.h"

#define THREADS   4 /* requests at a time */
#define LINE_MOST ((size_t) 1 << 20)
#define META      "io.modelcontextprotocol/"

struct bridge {
    const struct agent_folders *folders;
    const struct agent_remote *remote;
    pthread_mutex_t lock; /* of standard output */
};

struct line {
    struct bridge *bridge;
    char *text;
};

static const char *text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void print_message(struct bridge *bridge, const json_t *message)
{
    AUTO_FREE char *text = json_dumps(message, JSON_COMPACT);

    pthread_mutex_lock(&bridge->lock);
    if (text)
        puts(text);
    fflush(stdout);
    pthread_mutex_unlock(&bridge->lock);
}

static void print_error(struct bridge *bridge, const json_t *request, int code, const char *why)
{
    json_t *id = json_object_get(request, "id");
    json_t *message =
        json_pack("{ss s{si ss}}", "jsonrpc", "2.0", "error", "code", code, "message", why);

    if (json_is_string(id) || json_is_integer(id))
        json_object_set(message, "id", id);
    print_message(bridge, message);
    json_decref(message);
}

/* The result of a tool that could not even be called. */
static void print_refusal(struct bridge *bridge, const json_t *request, const struct err *err)
{
    json_t *id = json_object_get(request, "id");
    json_t *params = json_object_get(request, "params");
    json_t *message = json_pack("{ss sO s{sb s[{ss ss}]}}", "jsonrpc", "2.0", "id", id, "result",
                                "isError", 1, "content", "type", "text", "text", err->msg);

    if (json_object_get(json_object_get(params, "_meta"), META "protocolVersion"))
        json_object_set_new(json_object_get(message, "result"), "resultType",
                            json_string("complete"));
    print_message(bridge, message);
    json_decref(message);
}

/* A header line needs visible letters: others are encoded as the protocol says. */
static void put_line(struct buf *out, const char *label, const char *value)
{
    bool plain = value[0] > ' ' && value[0] <= '~';

    for (const char *c = value; *c; c++)
        plain = plain && *c >= ' ' && *c <= '~';
    plain = plain && value[strlen(value) - 1] != ' ' && strncmp(value, "=?base64?", 9) != 0;
    buf_printf(out, "%s: %s", label, plain ? value : "=?base64?");
    if (!plain) {
        base64_put(value, strlen(value), out);
        buf_puts(out, "?=");
    }
}

/* Sends a request and returns the server's message; NULL: there is none, or an error was printed.
 */
static json_t *pass_on(struct bridge *bridge, const json_t *request)
{
    const json_t *params = json_object_get(request, "params");
    const char *revision = text_at(json_object_get(params, "_meta"), META "protocolVersion");
    const char *method = text_at(request, "method");
    /* What Mcp-Name repeats: the name of a tool or prompt, or the address of a resource. */
    const char *name =
        text_at(params, method && strcmp(method, "resources/read") == 0 ? "uri" : "name");
    AUTO_BUF struct buf body = BUF_EMPTY, answer = BUF_EMPTY;
    AUTO_BUF struct buf at_revision = BUF_EMPTY, at_method = BUF_EMPTY, at_name = BUF_EMPTY;
    AUTO_FREE char *text = json_dumps(request, JSON_COMPACT);
    struct agent_lines lines = { 0 };
    struct err err;
    json_t *message;
    int status;

    if (revision && method) { /* older revisions have no such lines */
        put_line(&at_revision, "MCP-Protocol-Version", revision);
        put_line(&at_method, "Mcp-Method", method);
        put_line(&at_name, "Mcp-Name", name ? name : "");
        lines = (struct agent_lines){ { buf_text(&at_revision), buf_text(&at_method),
                                        name ? buf_text(&at_name) : NULL } };
    }
    buf_puts(&body, text ? text : "");
    status = agent_remote_message(bridge->remote, &lines, &body, &answer, &err);
    if (status < 0) {
        print_error(bridge, request, -32603, err.msg);
        return NULL;
    }
    if (status == 202)
        return NULL;
    message = json_loadb(buf_text(&answer), answer.len, 0, NULL);
    if (text_at(message, "jsonrpc"))
        return message;
    print_error(bridge, request, -32603,
                text_at(message, "message") ? text_at(message, "message")
                                            : "the server does not answer as /mcp does");
    json_decref(message);
    return NULL;
}

static void serve_request(struct bridge *bridge, json_t *request)
{
    json_t *params = json_object_get(request, "params"), *message, *result;
    const char *method = text_at(request, "method"), *name = text_at(params, "name");
    bool calls = method && strcmp(method, "tools/call") == 0 && name &&
                 (strcmp(name, "run") == 0 || strcmp(name, "status") == 0);
    struct agent_order order = { 0 };
    struct err err;

    if (calls && agent_files_send(bridge->folders, bridge->remote,
                                  json_object_get(params, "arguments"), &order, &err) < 0) {
        print_refusal(bridge, request, &err);
        return;
    }
    message = pass_on(bridge, request);
    if (!message)
        return;
    result = json_object_get(message, "result");
    if (calls)
        agent_files_save(bridge->folders, bridge->remote, &order, result);
    agent_files_declare(result);
    print_message(bridge, message);
    json_decref(message);
}

static void serve_line(void *arg)
{
    struct line *line = arg;
    json_error_t error;
    json_t *request = json_loads(line->text, JSON_REJECT_DUPLICATES, &error);

    if (!json_is_object(request))
        print_error(line->bridge, NULL, request ? -32600 : -32700,
                    request ? "a message is a JSON object" : "the line is not JSON");
    else
        serve_request(line->bridge, request);
    json_decref(request);
    free(line->text);
    free(line);
}

/* Queues a line, which it owns. */
static int queue_line(struct bridge *bridge, struct crew *crew, char *text)
{
    struct line *line = malloc(sizeof *line);

    if (line)
        *line = (struct line){ bridge, text };
    if (line && crew_add(crew, serve_line, line) == 0)
        return 0;
    free(line);
    free(text);
    return -1;
}

int agent_bridge_serve(const struct agent_folders *folders, const struct agent_remote *remote,
                       struct err *err)
{
    struct bridge bridge = { folders, remote, PTHREAD_MUTEX_INITIALIZER };
    struct crew *crew = crew_new("mcp", THREADS, err);
    char *text = NULL;
    size_t room = 0;
    ssize_t n;
    int done = 0;

    if (!crew)
        return -1;
    while (done == 0 && (n = getline(&text, &room, stdin)) >= 0) {
        if (n && text[n - 1] == '\n')
            text[--n] = '\0';
        if ((size_t) n > LINE_MOST)
            print_error(&bridge, NULL, -32600, "the message is too long");
        else if (n && queue_line(&bridge, crew, strdup(text)) < 0)
            done = err_sys(err, "a message");
    }
    crew_free(crew); /* waits for the answers */
    free(text);
    return done;
}
