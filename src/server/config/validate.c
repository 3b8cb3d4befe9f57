#include "server/config/validate.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/config/brand.h"
#include "server/config/url_password.h"

#define DAY                  86400000LL
#define CALLBACK_BACKOFF_MAX 7200000LL /* equal to RETRY_LONGEST_MS of server/webhook/retry.h */

struct validation {
    const struct config *config;
    validate_report *report;
    void *arg;
};

static void say(const struct validation *v, bool fatal, size_t setting, const char *fmt, va_list ap)
{
    char text[300];

    vsnprintf(text, sizeof text, fmt, ap);
    v->report(v->arg, &(struct validate_finding){ fatal, setting, text });
}

__attribute__((format(printf, 3, 4))) static void fatal(const struct validation *v, size_t setting,
                                                        const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say(v, true, setting, fmt, ap);
    va_end(ap);
}

__attribute__((format(printf, 3, 4))) static void odd(const struct validation *v, size_t setting,
                                                      const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say(v, false, setting, fmt, ap);
    va_end(ap);
}

static void validate_range(const struct validation *v, size_t setting, int64_t value, int64_t min,
                           int64_t max)
{
    if (value < min || value > max)
        fatal(v, setting, "%s must be %lld to %lld", config_setting_at(setting)->name,
              (long long) min, (long long) max);
}

static void validate_positive(const struct validation *v, size_t setting, int64_t value)
{
    if (value <= 0)
        fatal(v, setting, "%s must be more than 0", config_setting_at(setting)->name);
}

static void validate_repeated(const struct validation *v)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++)
        if (v->config->sources[i].earlier > 0)
            odd(v, i, "%s is given twice: line %d counts for nothing", config_setting_at(i)->name,
                v->config->sources[i].earlier);
}

static void validate_numbers(const struct validation *v)
{
    const struct config *c = v->config;

    validate_range(v, CONFIG_http_threads, c->http_threads, 1, 64);
    validate_range(v, CONFIG_intake_threads, c->intake_threads, 1, 1000);
    validate_range(v, CONFIG_workers, c->workers, 0, 1000);
    validate_range(v, CONFIG_max_connections, c->max_connections, 1, 1000000);
    validate_range(v, CONFIG_max_connections_per_client, c->max_connections_per_client, 0, 1000000);
    validate_positive(v, CONFIG_max_file_size, c->max_file_size);
    validate_positive(v, CONFIG_max_request_size, c->max_request_size);
    validate_positive(v, CONFIG_header_timeout, c->header_timeout);
    validate_positive(v, CONFIG_idle_timeout, c->idle_timeout);
    validate_positive(v, CONFIG_body_grace, c->body_grace);
    validate_positive(v, CONFIG_job_timeout, c->job_timeout);
    validate_positive(v, CONFIG_job_output, c->job_output);
    validate_positive(v, CONFIG_job_attempts, c->job_attempts);
    validate_positive(v, CONFIG_lease, c->lease);
    validate_positive(v, CONFIG_timestamp_timeout, c->timestamp_timeout);
    if (c->max_file_size > c->max_request_size)
        odd(v, CONFIG_max_file_size,
            "max_file_size is more than max_request_size, which then is the limit");
    if (c->job_memory && c->job_memory < 256 * 1000000LL)
        odd(v, CONFIG_job_memory, "job_memory is little: large documents will not fit");
    if (c->lease < 5000)
        odd(v, CONFIG_lease,
            "lease is short: a server that is busy for that long loses its jobs, and they are done "
            "again");
    if (c->job_timeout < 10000)
        odd(v, CONFIG_job_timeout, "job_timeout is short: larger documents will not be done");
    if (c->header_timeout < 1000)
        odd(v, CONFIG_header_timeout, "header_timeout is short for clients that are far away");
    if (c->idle_timeout < 1000)
        odd(v, CONFIG_idle_timeout, "idle_timeout is short for clients that are far away");
    if (c->max_queue == 0)
        odd(v, CONFIG_max_queue, "max_queue is 0: no job is taken");
    if (c->retention < 60000)
        odd(v, CONFIG_retention, "results are gone before many clients ask for them");
    if (c->retention > 90 * DAY)
        odd(v, CONFIG_retention, "documents of strangers are kept for more than 90 days");
    if (c->tombstone < c->retention)
        odd(v, CONFIG_tombstone, "expired jobs are forgotten sooner than retention");
}

/* http(s)://host without blanks: it is used in responses and headers. */
static void validate_address(const struct validation *v, size_t setting, const char *value)
{
    const char *host = strncmp(value, "https://", 8) == 0  ? value + 8
                       : strncmp(value, "http://", 7) == 0 ? value + 7
                                                           : "";

    if (!*value)
        return;
    if (!*host || *host == '/')
        fatal(v, setting, "%s must begin with http:// or https:// and a host",
              config_setting_at(setting)->name);
    for (const char *p = value; *p; p++) {
        if (*p <= ' ' || *p == '"' || *p == '<' || *p == '>' || *p == '\\' || *p == 0x7f) {
            fatal(v, setting, "%s holds a character that addresses cannot have",
                  config_setting_at(setting)->name);
            return;
        }
    }
}

/* Each origin is what a browser sends as Origin: a scheme, a host and maybe a port, without a
 * path. */
static void validate_origins(const struct validation *v)
{
    const char *const blanks = " \t,";
    const char *at = v->config->cors_origins;

    for (at += strspn(at, blanks); *at; at += strspn(at, blanks)) {
        size_t n = strcspn(at, blanks);
        const char *host = memmem(at, n, "://", 3);

        if (n == 1 && *at == '*')
            odd(v, CONFIG_cors_origins, "cors_origins is *: every web page may call the API");
        else if (!host || host == at || host + 3 == at + n ||
                 memchr(host + 3, '/', n - (size_t) (host + 3 - at)))
            fatal(v, CONFIG_cors_origins,
                  "cors_origins: \"%.*s\" is not an origin such as https://app.example.com",
                  (int) n, at);
        at += n;
    }
}

static void validate_readable(const struct validation *v, size_t setting, const char *path)
{
    if (*path && access(path, R_OK) < 0)
        fatal(v, setting, "%s: %s cannot be read: %s", config_setting_at(setting)->name, path,
              strerror(errno));
}

/* Whether the network contains every IPv4 address (mapped), or all IPv6 addresses that are
 * assigned. Others are large, too (fc00::/7), but private. */
static bool is_everybody(const struct net *net)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

    return net->bits <= 3 || (net->bits <= 96 && net->address.bytes[0] == 0 &&
                              memcmp(net->address.bytes, mapped, (size_t) net->bits / 8) == 0);
}

static void validate_callbacks(const struct validation *v)
{
    const struct config *c = v->config;

    if (c->callback_timeout < 100 || c->callback_timeout > 600000)
        fatal(v, CONFIG_callback_timeout, "callback_timeout must be 100ms to 10m");
    if (c->callback_backoff < 10 || c->callback_backoff > CALLBACK_BACKOFF_MAX)
        fatal(v, CONFIG_callback_backoff, "callback_backoff must be 10ms to 2h");
    if (c->fetch_timeout < 100 || c->fetch_timeout > 3600000)
        fatal(v, CONFIG_fetch_timeout, "fetch_timeout must be 100ms to 1h");
    validate_readable(v, CONFIG_callback_ca, c->callback_ca);
    validate_readable(v, CONFIG_fetch_ca, c->fetch_ca);
    for (size_t i = 0; i < c->callback_allow.n; i++)
        if (is_everybody(&c->callback_allow.list[i]))
            odd(v, CONFIG_callback_allow,
                "whoever may submit a job makes this server call any host of its own network");
    for (size_t i = 0; i < c->allow_fetch.n; i++)
        if (is_everybody(&c->allow_fetch.list[i]))
            odd(v, CONFIG_allow_fetch,
                "whoever may submit a job reads files from any host of this server's own network");
}

static void validate_choice(const struct validation *v, size_t setting, const char *value,
                            const char *const *choices)
{
    char all[100] = "";
    size_t n = 0;

    for (size_t i = 0; choices[i]; i++) {
        if (strcmp(choices[i], value) == 0)
            return;
        n += (size_t) snprintf(all + n, sizeof all - n, "%s%s",
                               i == 0           ? ""
                               : choices[i + 1] ? ", "
                                                : " or ",
                               choices[i]);
    }
    fatal(v, setting, "%s must be %s", config_setting_at(setting)->name, all);
}

static void validate_words(const struct validation *v)
{
    static const char *const levels[] = { "debug", "info", "warn", "error", NULL };
    static const char *const formats[] = { "auto", "text", "json", "journald", NULL };
    static const char *const headers[] = { "x-forwarded", "forwarded", NULL };
    static const char *const reuses[] = { "static", "account", "never", NULL };
    const struct config *c = v->config;

    validate_choice(v, CONFIG_browser_reuse, c->browser_reuse, reuses);
    validate_choice(v, CONFIG_log_level, c->log_level, levels);
    validate_choice(v, CONFIG_log_format, c->log_format, formats);
    validate_choice(v, CONFIG_forwarded_header, c->forwarded_header, headers);
    validate_origins(v);
    validate_address(v, CONFIG_base_url, c->base_url);
    validate_address(v, CONFIG_upgrade_url, c->upgrade_url);
    /* The server works without it; only signatures of level B-T are refused. */
    if (*c->timestamp_url && strncmp(c->timestamp_url, "https://", 8) != 0 &&
        strncmp(c->timestamp_url, "http://", 7) != 0)
        odd(v, CONFIG_timestamp_url,
            "timestamp_url begins with neither http:// nor https://: no time stamp can be had");
    validate_readable(v, CONFIG_tls_certificate, c->tls_certificate);
    validate_readable(v, CONFIG_tls_key, c->tls_key);
    if (!*c->data)
        fatal(v, CONFIG_data, "data must name a folder");
    if (!*c->seal_name || strlen(c->seal_name) > 64)
        fatal(v, CONFIG_seal_name, "seal_name must be 1 to 64 characters");
    if (*c->metrics_token && strlen(c->metrics_token) < 16)
        odd(v, CONFIG_metrics_token, "metrics_token is short enough to be guessed");
    if (*c->admin_key && strlen(c->admin_key) < 20)
        fatal(v, CONFIG_admin_key,
              "admin_key must have at least 20 characters, as `openssl rand -hex 24` makes them");
}

static bool is_postgres(const char *store)
{
    return strncmp(store, "postgresql://", 13) == 0 || strncmp(store, "postgres://", 11) == 0;
}

static void validate_web(const struct validation *v)
{
    const char *web = v->config->web;

    if (strcmp(web, "open") != 0 && strcmp(web, "key") != 0 && strcmp(web, "off") != 0)
        fatal(v, CONFIG_web, "web must be open, key or off");
}

static void validate_line(const struct validation *v, size_t setting, const char *text, size_t most)
{
    size_t n = 0;

    for (const char *at = text; *at; at++) {
        if ((unsigned char) *at < ' ') {
            fatal(v, setting, "%s is one line of text", config_setting_at(setting)->name);
            return;
        }
        n += (*at & 0xc0) != 0x80;
    }
    if (n > most)
        fatal(v, setting, "%s has %zu characters, and at most %zu are shown",
              config_setting_at(setting)->name, n, most);
}

static void validate_look(const struct validation *v)
{
    const struct config *c = v->config;
    struct brand_colors colors;
    struct err err;

    validate_line(v, CONFIG_page_name, c->page_name, 40);
    validate_line(v, CONFIG_page_line, c->page_line, 200);
    if (!*c->page_name)
        fatal(v, CONFIG_page_name, "page_name: pages need a name");
    if (*c->page_color && brand_colors(c->page_color, &colors, &err) < 0)
        fatal(v, CONFIG_page_color, "page_color: %s", err.msg);
    if (*c->page_logo && brand_check_logo(c->page_logo, &err) < 0)
        fatal(v, CONFIG_page_logo, "page_logo: %s", err.msg);
}

static void validate_store(const struct validation *v)
{
    const struct config *c = v->config;

    if (*c->store && !is_postgres(c->store))
        fatal(v, CONFIG_store, "store must be an address that begins with postgresql://");
    if (*c->store && !*c->blobs)
        odd(v, CONFIG_blobs,
            "files of jobs lie in this server's data folder, and other servers of the same store "
            "cannot read them: set blobs to a folder that all have mounted");
    if (url_password_is_in(c->store))
        odd(v, CONFIG_store,
            "the password in store can be read by whoever sees the settings or the list of "
            "processes: put it into the file that PGPASSFILE names");
    if (!*c->store && *c->tools)
        fatal(v, CONFIG_tools,
              "tools needs a store that another server shares, or jobs of the others are never "
              "done");
    if (!*c->store && !c->work)
        fatal(v, CONFIG_work,
              "work = false needs a store that another server shares, or no job is ever done");
}

static void validate_network(const struct validation *v)
{
    const struct config *c = v->config;
    struct net_address at;
    char address[128];
    uint16_t port;
    struct err err;
    bool local;

    if (config_split_listen(c->listen, address, sizeof address, &port, &err) < 0) {
        fatal(v, CONFIG_listen, "%s", err.msg);
        return;
    }
    if (!net_read(address, strlen(address), &at)) {
        fatal(v, CONFIG_listen,
              "listen: %s is not an address: names such as localhost are not looked up, write "
              "127.0.0.1 or ::1",
              address);
        return;
    }
    local = net_is_loopback(&at);
    if (!*c->tls_certificate != !*c->tls_key)
        fatal(v, *c->tls_key ? CONFIG_tls_key : CONFIG_tls_certificate,
              "tls_certificate and tls_key need each other");
    if (!local && !*c->tls_certificate && c->trusted_proxies.n == 0)
        odd(v, CONFIG_listen,
            "documents and keys travel unencrypted: set tls_certificate and tls_key, or put a "
            "proxy "
            "with TLS before the server and name it in trusted_proxies");
    if (*c->tls_certificate && strncmp(c->base_url, "http://", 7) == 0)
        odd(v, CONFIG_base_url, "base_url begins with http:, but the server speaks https");
    for (size_t i = 0; i < c->trusted_proxies.n; i++)
        if (is_everybody(&c->trusted_proxies.list[i]))
            odd(v, CONFIG_trusted_proxies,
                "everybody is trusted: any client may say where it comes from");
    for (size_t i = 0; i < c->metrics_from.n; i++)
        if (is_everybody(&c->metrics_from.list[i]) && !local)
            odd(v, CONFIG_metrics_from, "everybody may read /metrics and /status");
    for (size_t i = 0; i < c->operator_from.n; i++)
        if (is_everybody(&c->operator_from.list[i]) && !local)
            odd(v, CONFIG_operator_from, "everybody may read what the operator's page shows");
}

static void validate_safety(const struct validation *v)
{
    const struct config *c = v->config;
    struct stat st;
    size_t secret = CONFIG_COUNT; /* a secret setting given in the file */

    if (c->allow_unsandboxed)
        odd(v, CONFIG_allow_unsandboxed,
            "hostile documents may run without a sandbox: only for a machine of no worth");
    if (*c->log_level == 'd')
        odd(v, CONFIG_log_level, "debug writes much");
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        char shown[CONFIG_SHOWN];

        config_show(c, i, shown);
        if (config_setting_at(i)->secret && c->sources[i].origin == CONFIG_FROM_FILE && *shown)
            secret = i;
    }
    if (secret < CONFIG_COUNT && *c->file && stat(c->file, &st) == 0 && st.st_mode & 0004)
        odd(v, secret, "%s holds a secret and everybody may read it: chmod 640", c->file);
    for (size_t i = 0; i < CONFIG_COUNT; i++)
        if (config_setting_at(i)->secret && c->sources[i].origin == CONFIG_FROM_WORD)
            odd(v, i, "%s as an option of the command line is seen by every user of the machine",
                config_setting_at(i)->name);
    for (size_t i = 0; i < c->plans.n; i++)
        if (c->plans.list[i].requests_per_month == 0 || c->plans.list[i].bytes_per_month == 0)
            odd(v, CONFIG_COUNT, "plan %s allows nothing: %s is 0", c->plans.list[i].name,
                c->plans.list[i].requests_per_month == 0 ? "requests_per_month"
                                                         : "bytes_per_month");
}

void validate_config(const struct config *config, validate_report *report, void *arg)
{
    const struct validation v = { config, report, arg };

    validate_store(&v);
    validate_web(&v);
    validate_look(&v);
    validate_network(&v);
    validate_words(&v);
    validate_repeated(&v);
    validate_numbers(&v);
    validate_callbacks(&v);
    validate_safety(&v);
}

static void keep_first(void *arg, const struct validate_finding *finding)
{
    struct err *err = arg;

    if (finding->fatal && !*err->msg)
        err_field(err, ERR_INVALID_PARAMETER, config_setting_at(finding->setting)->name, "%s",
                  finding->text);
}

int validate_first(const struct config *config, struct err *err)
{
    *err = (struct err){ 0 };
    validate_config(config, keep_first, err);
    return *err->msg ? -1 : 0;
}
