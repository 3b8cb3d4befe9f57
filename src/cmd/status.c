/* status: how the running server is doing, asked of itself. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "server/http/fetch.h"

#define PATIENCE_MS 10000

/* A server that shares the store and has not reported for this long counts as lost. */
#define LOST_SECONDS 60

static double number(const json_t *json, const char *group, const char *name)
{
    return json_number_value(json_object_get(json_object_get(json, group), name));
}

static int64_t whole(const json_t *json, const char *group, const char *name)
{
    return json_integer_value(json_object_get(json_object_get(json, group), name));
}

/* 3 h 5 min, of two units at most. */
static const char *span(double seconds, char out[static 40])
{
    int64_t s = (int64_t) seconds;

    if (s >= 86400)
        snprintf(out, 40, "%" PRId64 " d %" PRId64 " h", s / 86400, s % 86400 / 3600);
    else if (s >= 3600)
        snprintf(out, 40, "%" PRId64 " h %" PRId64 " min", s / 3600, s % 3600 / 60);
    else if (s >= 60)
        snprintf(out, 40, "%" PRId64 " min %" PRId64 " s", s / 60, s % 60);
    else
        snprintf(out, 40, "%.1f s", seconds);
    return out;
}

static const char *size(double bytes, char out[static 40])
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    size_t i = 0;

    for (; bytes >= 1000 && i < 4; i++)
        bytes /= 1000;
    snprintf(out, 40, i ? "%.1f %s" : "%.0f %s", bytes, units[i]);
    return out;
}

static void print_recent(const json_t *status, const char *title, const char *name)
{
    const json_t *counts = json_object_get(json_object_get(status, "recent"), name);

    printf("  %-12s %10" PRId64 " %10" PRId64 " %10" PRId64 "\n", title,
           (int64_t) json_integer_value(json_object_get(counts, "1m")),
           (int64_t) json_integer_value(json_object_get(counts, "5m")),
           (int64_t) json_integer_value(json_object_get(counts, "15m")));
}

static void print_tools(json_t *tools)
{
    const char *name;
    json_t *counts;

    if (json_object_size(tools) == 0)
        return;
    printf("since the start  accepted  completed     failed\n");
    json_object_foreach(tools, name, counts)
        printf("  %-14s %8" PRId64 " %10" PRId64 " %10" PRId64 "\n", name,
               (int64_t) json_integer_value(json_object_get(counts, "accepted")),
               (int64_t) json_integer_value(json_object_get(counts, "completed")),
               (int64_t) json_integer_value(json_object_get(counts, "failed")));
}

/* What a server does; one before this version does not say it. */
static const char *role_of(const json_t *node)
{
    if (json_is_false(json_object_get(node, "works")))
        return "requests only, ";
    return json_is_false(json_object_get(node, "serves")) ? "jobs only, " : "";
}

static void print_nodes(const json_t *nodes)
{
    char up[40], silent[40];

    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i);
        double quiet = json_number_value(json_object_get(node, "silentSeconds"));

        printf("%-12s %s%s: %s%" PRId64 " running, up for %s", i ? "" : "servers",
               json_string_value(json_object_get(node, "host")),
               json_is_true(json_object_get(node, "own")) ? " (this one)" : "", role_of(node),
               (int64_t) json_integer_value(json_object_get(node, "running")),
               span(json_number_value(json_object_get(node, "upSeconds")), up));
        if (quiet > LOST_SECONDS)
            printf(", not heard of for %s", span(quiet, silent));
        putchar('\n');
    }
}

static void print_queue(const json_t *status)
{
    char waited[40];

    if (strcmp(json_string_value(json_object_get(status, "state")), "unavailable") == 0) {
        puts("queue        not known while the database or the storage cannot be reached");
        return;
    }
    printf("queue        %" PRId64 " waiting, %" PRId64 " running",
           whole(status, "queue", "pending"), whole(status, "queue", "running"));
    if (whole(status, "queue", "pending") > 0)
        printf(", the oldest has waited %s",
               span(number(status, "queue", "oldestSeconds"), waited));
    putchar('\n');
}

static void print_status(json_t *status)
{
    const json_t *programs = json_object_get(json_object_get(status, "workers"), "programs");
    const char *note = json_string_value(json_object_get(status, "note"));
    char a[40], b[40];

    printf("platen %s, %s for %s\n", json_string_value(json_object_get(status, "version")),
           json_string_value(json_object_get(status, "state")),
           span(json_number_value(json_object_get(status, "uptimeSeconds")), a));
    if (note && *note)
        printf("note         %s\n", note);
    print_queue(status);
    printf("workers      %" PRId64 " of %" PRId64 " busy\n", whole(status, "workers", "busy"),
           whole(status, "workers", "total"));
    for (size_t i = 0; i < json_array_size(programs); i++)
        printf("             %s\n", json_string_value(json_array_get(programs, i)));
    print_nodes(json_object_get(status, "nodes"));
    printf("disk         %s free of %s\n", size(number(status, "disk", "freeBytes"), a),
           size(number(status, "disk", "sizeBytes"), b));
    printf(
        "server       %s memory, %" PRId64 " connection%s, %" PRId64 " of %" PRId64
        " files, %s CPU\n",
        size(number(status, "process", "residentBytes"), a), whole(status, "http", "connections"),
        whole(status, "http", "connections") == 1 ? "" : "s", whole(status, "process", "openFiles"),
        whole(status, "process", "maxFiles"), span(number(status, "process", "cpuSeconds"), b));
    printf("in the last         1 min      5 min     15 min\n");
    print_recent(status, "requests", "requests");
    print_recent(status, "accepted", "accepted");
    print_recent(status, "completed", "completed");
    print_recent(status, "failed", "failed");
    print_tools(json_object_get(status, "tools"));
}

/* The state decides the exit status. */
static int report(const char *text, bool as_json)
{
    json_t *status = json_loads(text, 0, NULL);
    const char *state = json_string_value(json_object_get(status, "state"));
    int result = !state ? 1 : strcmp(state, "running") == 0 ? 0 : 3;

    if (!state)
        cmd_fail(1, "the program that answers is not platen");
    else if (as_json)
        puts(text);
    else
        print_status(status);
    json_decref(status);
    return result;
}

static int ask_server(const struct config *config, struct buf *body, struct err *err)
{
    char address[128];
    struct fetch fetch = { .address = address,
                           .tls = *config->tls_certificate != '\0',
                           .path = "/status",
                           .token = config->metrics_token,
                           .timeout_ms = PATIENCE_MS };
    int status;

    if (config_split_listen(config->listen, address, sizeof address, &fetch.port, err) < 0)
        return -1;
    status = fetch_get(&fetch, body, err);
    if (status < 0 || status == 200)
        return status < 0 ? -1 : 0;
    return err_set(err, ERR_INTERNAL,
                   status == 403 ? "the server refuses this address: see "
                                   "metrics_from and metrics_token (HTTP %d)"
                                 : "the server answers with HTTP %d",
                   status);
}

int cmd_status(int argc, char **argv)
{
    static struct config config;
    AUTO_BUF struct buf body = BUF_EMPTY;
    struct command_words words;
    struct err err;
    bool as_json;

    if (cmd_begin(&config, &words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    as_json = command_value(&words, "json") != NULL;
    if (ask_server(&config, &body, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    return report(buf_text(&body), as_json);
}
