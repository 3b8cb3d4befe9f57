#include "server/monitoring/status.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/rate.h"
#include "base/scope.h"
#include "base/version.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/monitoring/gauges.h"

#define NODES_SHOWN 200

/* {"1m": 3, "5m": 17, "15m": 60} */
static json_t *recent(enum rate rate)
{
    return json_pack("{sI sI sI}", "1m", (json_int_t) rate_recent(rate, 60), "5m",
                     (json_int_t) rate_recent(rate, 300), "15m",
                     (json_int_t) rate_recent(rate, RATE_SECONDS));
}

static void add_amount(json_t *tools, const char *tool, size_t n, const char *what, double amount)
{
    json_t *entry = json_object_getn(tools, tool, n);

    if (!entry) {
        entry = json_pack("{si si si}", "accepted", 0, "completed", 0, "failed", 0);
        if (json_object_setn_new(tools, tool, n, entry) < 0)
            return;
    }
    json_object_set_new(
        entry, what,
        json_integer(json_integer_value(json_object_get(entry, what)) + (json_int_t) amount));
}

static void add_accepted(void *arg, const char *label, double value)
{
    add_amount(arg, label, strlen(label), "accepted", value);
}

/* "rotate,completed" */
static void add_ended(void *arg, const char *label, double value)
{
    size_t n = strcspn(label, ",");

    if (value > 0) /* a tool that was not used yet is not listed */
        add_amount(arg, label, n, strcmp(label + n, ",completed") == 0 ? "completed" : "failed",
                   value);
}

static json_t *tools_json(void)
{
    json_t *tools = json_object();

    if (tools) {
        metric_each(METRIC_JOBS_ACCEPTED, add_accepted, tools);
        metric_each(METRIC_JOBS_ENDED, add_ended, tools);
    }
    return tools;
}

static json_t *programs_json(struct api *api)
{
    json_t *list = json_array();
    const char *note;

    for (size_t i = 0; (note = catalog_note(api->catalog, i)) != NULL; i++)
        json_array_append_new(list, json_string(note));
    return list;
}

/* `unread`: why the store cannot be read; NULL: it can. */
static json_t *status_json(struct api *api, const struct gauges *gauges, const char *unread)
{
    char why[200] = "";
    bool ready = catalog_ready(api->catalog, why, sizeof why);
    const char *state = atomic_load(&api->draining) ? "stopping"
                        : unread                    ? "unavailable"
                        : ready                     ? "running"
                                                    : "starting";
    double up = (double) (clock_mono_ms() - api->began_ms) / 1e3;

    return json_pack(
        "{ss ss ss sf s{sI sI sf} s{si si so} s{so so so so} s{si} s{sI sI} s{sI sI sI sI sf} so}",
        "version", PLATEN_VERSION, "state", state, "note", unread ? unread : why, "uptimeSeconds",
        up, "queue", "pending", (json_int_t) gauges->pending, "running",
        (json_int_t) gauges->running, "oldestSeconds", (double) gauges->oldest_ms / 1e3, "workers",
        "total", gauges->workers, "busy", gauges->workers_busy, "programs", programs_json(api),
        "recent", "requests", recent(RATE_REQUESTS), "accepted", recent(RATE_ACCEPTED), "completed",
        recent(RATE_COMPLETED), "failed", recent(RATE_FAILED), "http", "connections",
        gauges->connections, "disk", "freeBytes", (json_int_t) gauges->disk_free, "sizeBytes",
        (json_int_t) gauges->disk_size, "process", "residentBytes", (json_int_t) gauges->resident,
        "openFiles", (json_int_t) gauges->files, "maxFiles", (json_int_t) gauges->files_max,
        "threads", (json_int_t) gauges->threads, "cpuSeconds", gauges->cpu_seconds, "tools",
        tools_json());
}

/* The servers that share the store: [{"host": ..., "upSeconds": ..., ...}], or NULL. */
static json_t *nodes_json(struct api *api)
{
    struct store_node nodes[NODES_SHOWN];
    int64_t now = clock_wall_ms();
    struct err err;
    int n = store_nodes(api->store, nodes, COUNT(nodes), &err);
    json_t *list = n < 0 ? NULL : json_array();

    for (int i = 0; i < n; i++)
        json_array_append_new(
            list,
            json_pack("{ss sb sf sf sI sb sb}", "host", nodes[i].host, "own", nodes[i].own,
                      "upSeconds", (double) (now - nodes[i].began_at) / 1e3, "silentSeconds",
                      (double) (now - nodes[i].seen_at) / 1e3, "running",
                      (json_int_t) nodes[i].running, "works", (int) (nodes[i].roles & STORE_WORKS),
                      "serves", (int) (nodes[i].roles & STORE_SERVES)));
    return list;
}

int status_read(struct api *api, json_t **status, struct err *err)
{
    struct gauges gauges;

    if (gauges_read(api, &gauges, err) < 0)
        return -1;
    *status = status_json(api, &gauges, NULL);
    if (store_is_shared(api->store))
        json_object_set_new(*status, "nodes", nodes_json(api));
    return 0;
}

/* What is known while the store cannot be read; the operator may read why. */
static json_t *status_without_store(struct api *api, const char *why)
{
    struct gauges gauges;
    struct err ignored;

    gauges_read(api, &gauges, &ignored);
    return status_json(api, &gauges, why);
}

enum http_next status_get(struct http_request *req, struct http_response *resp)
{
    json_t *status;
    struct err err;

    if (status_read(api_of(req), &status, &err) < 0)
        status = status_without_store(api_of(req), err.msg);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, status);
}
