#include "server/monitoring/operator.h"

#include <jansson.h>
#include <string.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/visitors.h"
#include "server/monitoring/status.h"

#define KEYS_SHOWN 1000

static const char *const of_server[] = { "version", "state", "note", "uptimeSeconds", NULL };
/* Members of /status that become members of the overview, by their names in both. */
static const char *const kept[][2] = {
    { "queue", "queue" }, { "workers", "workers" }, { "nodes", "nodes" },     { "recent", "rates" },
    { "disk", "disk" },   { "http", "http" },       { "process", "process" },
};

static enum http_next answer_object(struct http_response *resp, json_t *object)
{
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, object);
}

/* [{"error": "quota_exceeded", "count": 3}, ...] */
static void add_refusal(void *arg, const char *label, double value)
{
    if (value > 0)
        json_array_append_new(arg,
                              json_pack("{ss sI}", "error", label, "count", (json_int_t) value));
}

static void add_store_error(void *arg, const char *label, double value)
{
    if (value > 0)
        json_array_append_new(
            arg, json_pack("{ss sI}", "operation", label, "count", (json_int_t) value));
}

/* "rotate,corrupt_file" */
static void add_failure(void *arg, const char *label, double value)
{
    size_t n = strcspn(label, ",");

    if (value > 0 && strcmp(label + n, ",completed") != 0)
        json_array_append_new(arg,
                              json_pack("{ss% ss sI}", "tool", label, n, "error",
                                        label + n + (label[n] != 0), "count", (json_int_t) value));
}

static json_t *listed(enum metric metric, void add(void *arg, const char *label, double value))
{
    json_t *list = json_array();

    if (list)
        metric_each(metric, add, list);
    return list;
}

/* {"rotate": {"accepted": 2}} becomes [{"tool": "rotate", "accepted": 2}]. */
static json_t *tools_list(json_t *tools)
{
    json_t *list = json_array(), *figures;
    const char *name;

    json_object_foreach(tools, name, figures)
    {
        json_t *entry = json_pack("{ss}", "tool", name);

        json_object_update(entry, figures);
        json_array_append_new(list, entry);
    }
    return list;
}

enum http_next operator_overview(struct http_request *req, struct http_response *resp)
{
    json_t *status = NULL, *overview = json_object(), *server = json_object();
    struct err err;

    if (status_read(api_of(req), &status, &err) < 0) {
        json_decref(overview);
        json_decref(server);
        return answer_error(req, resp, &err);
    }
    for (size_t i = 0; of_server[i]; i++)
        json_object_set(server, of_server[i], json_object_get(status, of_server[i]));
    json_object_set_new(overview, "server", server);
    for (size_t i = 0; i < COUNT(kept); i++)
        json_object_set(overview, kept[i][1], json_object_get(status, kept[i][0]));
    json_object_set_new(overview, "tools", tools_list(json_object_get(status, "tools")));
    json_object_set_new(overview, "failures", listed(METRIC_JOBS_ENDED, add_failure));
    json_object_set_new(overview, "refusals", listed(METRIC_REFUSALS, add_refusal));
    json_object_set_new(overview, "storeErrors", listed(METRIC_STORE_ERRORS, add_store_error));
    json_decref(status);
    return answer_object(resp, overview);
}

static json_t *key_json(const struct key *key, int64_t now)
{
    const char *state = key->valid_until == 0    ? "active"
                        : key->valid_until > now ? "ending"
                                                 : "ended";
    json_t *object =
        json_pack("{ss ss sb sI ss ss ss}", "keyId", key->prefix, "scope",
                  key_scope_name(key_scope(key->prefix)), "test", key_is_test(key->prefix),
                  "account", (json_int_t) (key->parent ? key->parent : key->id), "name", key->name,
                  "plan", key->plan, "state", state);

    answer_set_time(object, "createdAt", key->created_at);
    answer_set_time(object, "validUntil", key->valid_until);
    return object;
}

static json_t *plan_json(const struct plan *plan)
{
    return json_pack("{ss ss sI sI sI sI sI}", "plan", plan->name, "price", plan->price,
                     "requestsPerMonth", (json_int_t) plan->requests_per_month, "bytesPerMonth",
                     (json_int_t) plan->bytes_per_month, "maxUnfinished",
                     (json_int_t) plan->max_unfinished, "retentionSeconds",
                     (json_int_t) (plan->retention / 1000), "maxRetentionSeconds",
                     (json_int_t) (plan->max_retention / 1000));
}

/* The newest first; those of visitors, which come and go, are only counted. */
enum http_next operator_keys(struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    AUTO_STORE_KEYS struct store_keys found = { 0 };
    int64_t now = clock_wall_ms();
    json_t *keys, *plans;
    size_t visitors = 0;
    struct err err;

    if (store_key_list(api_of(req)->store, &found, &err) < 0)
        return answer_error(req, resp, &err);
    keys = json_array();
    plans = json_array();
    for (size_t i = found.n; i-- > 0;) {
        visitors += visitors_is(&found.list[i]);
        if (!visitors_is(&found.list[i]) && json_array_size(keys) < KEYS_SHOWN)
            json_array_append_new(keys, key_json(&found.list[i], now));
    }
    for (size_t i = 0; i < config->plans.n; i++)
        json_array_append_new(plans, plan_json(&config->plans.list[i]));
    return answer_object(resp, json_pack("{so so sI}", "keys", keys, "plans", plans, "visitors",
                                         (json_int_t) visitors));
}

enum http_next operator_settings(struct http_request *req, struct http_response *resp)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    json_t *list = json_array();
    const struct config_setting *setting;

    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        char value[CONFIG_SHOWN];

        config_show(config, i, value);
        json_array_append_new(list, json_pack("{ss ss sb sb}", "name", setting->name, "value",
                                              value, "preset", config_is_preset(config, i), "live",
                                              setting->live));
    }
    return answer_object(resp, json_pack("{so}", "settings", list));
}
