#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/systemd.h"
#include "cmd/command.h"
#include "cmd/serving.h"
#include "server/api_call/origin.h"
#include "server/config/validate.h"

struct execution_terms serving_terms(const struct config *config)
{
    return (struct execution_terms){ .lease_ms = config->lease,
                                     .retention_ms = config->retention,
                                     .max_attempts = config->job_attempts,
                                     .reuse = strcmp(config->browser_reuse, "never") != 0,
                                     .reuse_scripts = strcmp(config->browser_reuse, "account") == 0,
                                     .limits = { .run_ms = config->job_timeout,
                                                 .memory_bytes = config->job_memory,
                                                 .output_bytes = config->job_output,
                                                 .office_cpu_ms = config->office_cpu } };
}

struct webhook_terms serving_fetching(const struct config *config)
{
    return (struct webhook_terms){ .http = config->fetch_http,
                                   .timeout_ms = config->fetch_timeout,
                                   .allowed = config->allow_fetch.text,
                                   .ca = config->fetch_ca };
}

struct sender_terms serving_callbacks(const struct config *config)
{
    return (struct sender_terms){
        .requests = { .http = config->callback_http,
                      .timeout_ms = config->callback_timeout,
                      .allowed = config->callback_allow.text,
                      .ca = config->callback_ca },
        .retry = { .first_ms = config->callback_backoff, .for_ms = config->callback_retry },
    };
}

struct shipper_terms serving_shipping(const struct config *config)
{
    return (struct shipper_terms){ .requests = serving_fetching(config),
                                   .retry = { .first_ms = config->callback_backoff,
                                              .for_ms = config->callback_retry } };
}

int serving_http(const struct config *config, char *address, size_t cap,
                 struct http_server_config *http, struct err *err)
{
    *http = (struct http_server_config){
        .address = address,
        .problem = answer_problem,
        .finish = answer_finish,
        .threads = (int) config->http_threads,
        .max_connections = (int) config->max_connections,
        .max_per_client = (int) config->max_connections_per_client,
        .is_proxy = origin_is_proxy,
        .idle_timeout_ms = config->idle_timeout,
        .header_timeout_ms = config->header_timeout,
        .min_body_rate = config->min_body_rate,
        .body_grace_ms = config->body_grace,
        .tls_certificate = config->tls_certificate,
        .tls_key = config->tls_key,
    };
    http->routes = api_routes(&http->n_routes);
    return config_split_listen(config->listen, address, cap, &http->port, err);
}

int serving_read(const struct serving *serving, struct config *config, struct err *err)
{
    struct command_words words;

    if (command_parse(&words, serving->n_words, serving->words, err) < 0 ||
        cmd_settings(config, serving->n_words, serving->words, err) < 0 ||
        (command_value(&words, "no-work") && config_set(config, "work", "false", err) < 0))
        return -1;
    return validate_first(config, err);
}

static void warn(void *arg, const struct validate_finding *finding)
{
    (void) arg;
    if (!finding->fatal)
        log_warn("config.odd", KV("why", finding->text));
}

static void warn_stray(void *arg, int line, const struct err *fault)
{
    (void) arg;
    (void) line;
    log_warn("config.odd", KV("why", fault->msg));
}

/* A key whose plan is gone is answered with 500. */
void serving_warn_plans(const struct config *config, struct store *store)
{
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    int64_t now = clock_wall_ms();
    struct err ignored;

    if (store_key_list(store, &keys, &ignored) < 0)
        return;
    for (size_t i = 0; i < keys.n; i++) {
        const struct key *key = &keys.list[i];

        if ((!key->valid_until || key->valid_until > now) &&
            !plan_list_find(&config->plans, key->plan))
            log_warn("plan.missing", KV("plan", key->plan), KV("key", key->prefix));
    }
}

void serving_warn(const struct config *config)
{
    validate_config(config, warn, NULL);
    config_strays(warn_stray, NULL);
}

/* What of `next` can count only after a restart becomes as it is, and the log says so. */
static void keep_fixed(const struct config *now, struct config *next)
{
    bool tls = *now->tls_certificate != '\0', tls_changes = tls != (*next->tls_certificate != '\0');

    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const struct config_setting *setting = config_setting_at(i);
        char value[CONFIG_SHOWN];
        bool fixed =
            !setting->live || (tls_changes && (i == CONFIG_tls_certificate || i == CONFIG_tls_key));

        if (config_same(now, next, i))
            continue;
        config_show(next, i, value);
        if (!fixed) {
            log_info("config.changed", KV("setting", setting->name), KV("value", value));
            continue;
        }
        log_warn("config.needs_restart", KV("setting", setting->name), KV("value", value));
        config_copy(next, now, i);
    }
}

static int apply(struct serving *serving, const struct config *next, struct err *err)
{
    const struct execution_terms terms = serving_terms(next);
    const struct sender_terms callbacks = serving_callbacks(next);
    const struct sender_terms old_callbacks = serving_callbacks(&serving->config);
    const struct webhook_terms fetching = serving_fetching(next);
    const struct shipper_terms shipping = serving_shipping(next);
    const struct shipper_terms old_shipping = serving_shipping(&serving->config);
    struct http_server_config http;
    struct err ignored;
    char address[128];

    /* What can fail comes first. */
    if (serving_http(next, address, sizeof address, &http, err) < 0 ||
        live_replace(serving->api.settings, next, err) < 0)
        return -1;
    if (sender_change(serving->api.sender, &callbacks, err) < 0 ||
        shipper_change(serving->api.shipper, &shipping, err) < 0 ||
        http_server_change(serving->api.server, &http, err) < 0 ||
        dispatcher_change(serving->api.dispatcher, &terms, &fetching, err) < 0) {
        sender_change(serving->api.sender, &old_callbacks, &ignored);
        shipper_change(serving->api.shipper, &old_shipping, &ignored);
        live_replace(serving->api.settings, &serving->config, &ignored);
        return -1;
    }
    janitor_change(serving->janitor, next->tombstone);
    return 0;
}

static int change(struct serving *serving, struct err *err)
{
    AUTO_FREE struct config *next = calloc(1, sizeof *next);

    if (!next)
        return err_sys(err, "settings");
    if (serving_read(serving, next, err) < 0)
        return -1;
    keep_fixed(&serving->config, next);
    if (apply(serving, next, err) < 0)
        return -1;
    for (size_t i = 0; i < CONFIG_COUNT; i++)
        if (config_setting_at(i)->live)
            config_copy(&serving->config, next, i);
    serving->config.plans = next->plans;
    memcpy(serving->config.file, next->file, sizeof next->file);
    cmd_log(&serving->config);
    serving_warn(&serving->config);
    serving_warn_plans(&serving->config, serving->api.store);
    return 0;
}

/* sd_notify(3): the manager knows by the time which of several reloads this is. */
static void notify_begin(void)
{
    AUTO_BUF struct buf lines = BUF_EMPTY;

    buf_printf(&lines, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long) clock_mono_us());
    systemd_notify(buf_text(&lines));
}

/* The server is ready either way; who looks at the service sees why its settings are the old ones.
 */
static void notify_end(const char *refused)
{
    AUTO_BUF struct buf lines = BUF_EMPTY;

    buf_printf(&lines, "READY=1\nSTATUS=%s%s", refused ? "settings refused: " : "",
               refused ? refused : "");
    systemd_notify(buf_text(&lines));
}

void serving_reload(struct serving *serving)
{
    struct err err;

    notify_begin();
    log_info("config.reload", KV("file", serving->config.file));
    if (change(serving, &err) < 0) {
        log_error("config.refused", KV("why", err.msg),
                  KV("kept", "the settings that were in use"));
        metric_add(METRIC_RELOADS, "refused", 1);
        notify_end(err.msg);
        return;
    }
    metric_add(METRIC_RELOADS, "done", 1);
    metric_set(METRIC_RELOAD_TIME, (double) clock_wall_ms() / 1e3);
    log_info("config.reloaded", KV("plans", serving->config.plans.n));
    notify_end(NULL);
}
