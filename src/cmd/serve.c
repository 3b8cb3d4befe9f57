/* serve: the server: everything started in order, and stopped in the opposite one. */
#include <errno.h>
#include <malloc.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/process.h"
#include "base/system/systemd.h"
#include "base/version.h"
#include "cmd/serving.h"
#include "cmd/tool_choice.h"
#include "data/s3/blob_s3.h"
#include "data/s3/place.h"
#include "data/store_postgres/store_postgres_open.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "sandbox/process/starter.h"
#include "sandbox/worker/attempt.h"
#include "server/api/job_json.h"
#include "server/api/signing.h"
#include "server/api_call/rates.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/dry_run.h"
#include "server/api_submit/strips.h"
#include "server/openapi/openapi.h"
#include "server/openapi/openapi_copies.h"
#include "server/webhook/delivery_result.h"
#include "server/webhook/sender.h"

#define PATH_BYTES      4096
#define EXAMINE_BYTES   (512LL << 20) /* a database that is looked through in a second or two */
#define FETCHES         8             /* threads that wait for files from addresses */
#define UPLOAD_GRACE_MS 2000          /* what a stop waits for uploads that are under way */
#define STOP_REST_MS    15000         /* what else a stop may take */
/* limit of the time that is reported to the service manager */
#define GRACE_MOST_MS 864000000LL

/* An existing folder that others may enter is closed to them: it holds documents and keys. */
static int close_folder(const char *path, struct err *err)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return err_sys(err, "look at %s", path);
    if (!(st.st_mode & 077))
        return 0;
    log_warn("data.closed", KV("data", path),
             KV("why", "other users could enter the folder: its mode is 0700 now"));
    return chmod(path, 0700) < 0 ? err_sys(err, "close %s to other users", path) : 0;
}

/* One server for a data folder: two would each take the other's running jobs for lost ones. */
static int lock_data(struct serving *s, struct err *err)
{
    s->lock = cmd_lock_data(&s->config, err);
    return s->lock < 0 ? -1 : close_folder(s->config.data, err);
}

/* A store that was closed leaves no write-ahead log; one that is left tells of a crash or a power
 * cut, after which the database is looked through, unless that would take long. */
static bool was_cut_off(const char *path, int64_t *bytes)
{
    char log[PATH_BYTES + 8];
    struct stat st;

    snprintf(log, sizeof log, "%s-wal", path);
    if (stat(log, &st) < 0 || st.st_size == 0)
        return false;
    *bytes = stat(path, &st) == 0 ? st.st_size : 0;
    return true;
}

static int examine(const char *path, int64_t bytes, struct err *err)
{
    int version;

    if (bytes > EXAMINE_BYTES) {
        log_warn("store.unexamined", KV("bytes", bytes),
                 KV("why",
                    "the server was not shut down cleanly, and the database is large: run platen "
                    "doctor, which examines it"));
        return 0;
    }
    if (store_sqlite_examine(path, &version, err) == 0)
        return 0;
    if (err->code == ERR_INVALID_REQUEST)
        return -1;
    return err_wrap(err, "after an end that was not clean (restore the last backup with platen "
                         "restore, or save what can be saved with sqlite3's .recover)");
}

static int open_store(struct serving *s, struct err *err)
{
    char path[PATH_BYTES];
    int64_t bytes = 0;
    bool cut_off;

    /* The data folder keeps the server's own files whatever the store is. */
    if (cmd_data_path(&s->config, "platen.db", path, sizeof path, err) < 0)
        return -1;
    if (*s->config.store) {
        s->api.store = store_postgres_open(s->config.store, err);
        return s->api.store ? 0 : -1;
    }
    cut_off = was_cut_off(path, &bytes);
    s->api.store = store_sqlite_open(path, err);
    return s->api.store && (!cut_off || examine(path, bytes, err) == 0) ? 0 : -1;
}

/* Puts back jobs that were running when the last server ended. A store that is not shared has no
 * other server; in a shared one the janitor puts back those whose lease has ended. */
static int put_back_lost(struct store *store, struct err *err)
{
    int lost = store_is_shared(store) ? 0 : store_reclaim(store, INT64_MAX, err);

    if (lost > 0)
        log_warn("jobs.put_back", KV("jobs", lost));
    return lost < 0 ? -1 : 0;
}

static int open_stores(struct serving *s, struct err *err)
{
    char path[PATH_BYTES];

    if (open_store(s, err) < 0)
        return -1;
    if (cmd_data_path(&s->config, s3_place_is(s->config.blobs) ? "scratch" : "blobs", path,
                      sizeof path, err) < 0)
        return -1;
    if (s3_place_is(s->config.blobs))
        s->api.blobs = blob_s3_open(s->config.blobs, path, err);
    else
        s->api.blobs = blob_fs_open(*s->config.blobs ? s->config.blobs : path, err);
    if (!s->api.blobs || cmd_data_path(&s->config, "url.key", path, sizeof path, err) < 0)
        return -1;
    if (signing_load(path, s->api.url_key, err) < 0 ||
        store_share(s->api.store, "url.key", s->api.url_key, sizeof s->api.url_key, err) < 0)
        return -1;
    return put_back_lost(s->api.store, err);
}

/* An operator's key that cannot be used is reported at once. */
static int check_seal(const struct serving *s, struct err *err)
{
    const struct tool_services *services = &s->signer.services;
    AUTO_BUF struct buf chain = BUF_EMPTY;

    if (access(s->signer.program, X_OK) < 0)
        log_warn("program.absent", KV("program", "platen-signer"),
                 KV("why", "nothing can be signed with the server's key or time-stamped"));
    return *s->config.seal_certificate ? services->seal_chain(services->arg, &chain, err) : 0;
}

static int start_sender(struct serving *s, struct err *err)
{
    const struct sender_config sender = {
        .request = { .store = s->api.store, .body = job_json_body, .arg = &s->api },
        .programs = s->config.programs,
        .terms = serving_callbacks(&s->config),
    };

    s->api.sender = sender_new(&sender, err);
    return s->api.sender ? 0 : -1;
}

static void wake_shipper(void *arg)
{
    shipper_wake(arg);
}

static int start_shipper(struct serving *s, struct err *err)
{
    const struct shipper_config shipper = { .store = s->api.store,
                                            .blobs = s->api.blobs,
                                            .hub = s->api.hub,
                                            .sender = s->api.sender,
                                            .programs = s->config.programs,
                                            .terms = serving_shipping(&s->config) };

    s->api.shipper = shipper_new(&shipper, err);
    return s->api.shipper ? 0 : -1;
}

/* Whoever listens leaves room for those who ask. */
static struct hub *open_hub(const struct config *c, int connections, struct err *err)
{
    int64_t most = (int64_t) connections / 4 * 3;
    const struct hub_limits limits = { c->event_streams < most ? c->event_streams : most,
                                       c->event_streams_per_key, c->event_heartbeat };

    return hub_new(&limits, err);
}

static int worker_count(const struct config *c)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (!c->work)
        return 0;
    return c->workers ? (int) c->workers : (int) (cores > 0 ? cores + 1 : 2);
}

/* From now on this server holds a lease, and may claim jobs. */
static int start_pulse(struct serving *s, struct err *err)
{
    const struct pulse_config pulse = { .store = s->api.store,
                                        .dispatcher = s->api.dispatcher,
                                        .hub = s->api.hub,
                                        .pending = &s->api.pending };

    s->pulse = pulse_new(&pulse, err);
    return s->pulse ? 0 : -1;
}

static int start_workers(struct serving *s, struct err *err)
{
    const struct config *c = &s->config;
    struct dispatcher_config dispatcher = {
        .execution = { .store = s->api.store, .blobs = s->api.blobs },
        .terms = serving_terms(c),
        .workers = worker_count(c),
        .serves = !s->works_only,
        .fetching = serving_fetching(c),
        .programs = c->programs,
    };
    struct janitor_config janitor = { .store = s->api.store,
                                      .blobs = s->api.blobs,
                                      .tombstone_ms = c->tombstone };

    s->api.catalog = catalog_open(c->programs, c->allow_unsandboxed, NULL, err);
    if (!s->api.catalog || openapi_prepare(&s->api, err) < 0 ||
        (store_is_shared(s->api.store) &&
         tool_choice_apply(s->api.store, s->api.catalog, c->tools, err) < 0))
        return -1;
    s->api.hub = open_hub(c, s->connections, err);
    s->api.pace = pace_new(err);
    s->api.intake =
        s->api.hub && s->api.pace ? crew_new("intake", (size_t) c->intake_threads, err) : NULL;
    s->api.fetches = s->api.intake ? crew_new("fetches", FETCHES, err) : NULL;
    if (!s->api.fetches)
        return -1;
    s->api.dry_runs = dry_runs_new((size_t) c->dry_runs, err);
    if (!s->api.dry_runs)
        return -1;
    s->api.strips = strips_new(&s->api, (size_t) c->page_threads, c->page_cache, err);
    s->api.visitors = s->api.strips ? visitors_new(err) : NULL;
    s->api.rates = s->api.visitors ? rates_new(err) : NULL;
    if (!s->api.rates)
        return -1;
    if (cmd_signer_client(c, &s->signer, err) < 0 || check_seal(s, err) < 0)
        return -1;
    dispatcher.execution.services = &s->signer.services;
    dispatcher.execution.catalog = s->api.catalog;
    dispatcher.execution.erased = &s->api.removed;
    dispatcher.execution.hub = s->api.hub;
    if (start_sender(s, err) < 0)
        return -1;
    dispatcher.execution.sender = s->api.sender;
    if (start_shipper(s, err) < 0)
        return -1;
    dispatcher.execution.ship = wake_shipper;
    dispatcher.execution.ship_arg = s->api.shipper;
    dispatcher.execution.pace = s->api.pace;
    s->api.dispatcher = dispatcher_new(&dispatcher, err);
    if (!s->api.dispatcher)
        return -1;
    if (store_is_shared(s->api.store) && start_pulse(s, err) < 0)
        return -1;
    janitor.dispatcher = s->api.dispatcher;
    janitor.pulse = s->pulse;
    janitor.removed = &s->api.removed;
    janitor.pending = &s->api.pending;
    s->janitor = janitor_new(&janitor, err);
    return s->janitor ? 0 : -1;
}

/* Under socket activation the socket unit has the last word: `listen` is then only what
 * `platen status` asks, and should be the same. */
static void warn_of_other_address(int listener, const char *address, uint16_t port)
{
    char host[NI_MAXHOST], service[NI_MAXSERV], wanted[NI_MAXSERV];
    struct sockaddr_storage name;
    socklen_t size = sizeof name;

    if (getsockname(listener, (struct sockaddr *) &name, &size) < 0 ||
        getnameinfo((struct sockaddr *) &name, size, host, sizeof host, service, sizeof service,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    snprintf(wanted, sizeof wanted, "%u", port);
    if (port == 0 || (strcmp(host, address) == 0 && strcmp(service, wanted) == 0))
        return;
    log_warn("config.odd",
             KV("why", "the service manager passed a socket at another address than "
                       "`listen`: set both to the same, so that `platen status` "
                       "asks the right one"),
             KV("address", host), KV("port", service));
}

/* The workers take seconds to start; an address that is in use is reported before that. */
static int bind_address(struct serving *s, struct err *err)
{
    struct http_server_config http;
    char address[128];

    if (serving_http(&s->config, address, sizeof address, &http, err) < 0)
        return -1;
    if (s->listener > 0) {
        warn_of_other_address(s->listener, http.address, http.port);
        return 0;
    }
    s->bound = http_bind(http.address, http.port, err);
    return s->bound < 0 ? err_wrap(err, "listen on %s", s->config.listen) : 0;
}

static int start_http(struct serving *s, struct err *err)
{
    const struct config *c = &s->config;
    struct http_server_config http;
    char address[128];

    if (serving_http(c, address, sizeof address, &http, err) < 0)
        return -1;
    http.data = &s->api;
    if (s->works_only)
        http.routes = api_own_routes(&http.n_routes);
    http.max_connections = s->connections;
    if (c->max_connections_per_client == 0)
        http.max_per_client = (s->connections + 3) / 4;
    http.listener = s->listener;
    http.bound = s->bound;
    s->api.server = http_server_open(&http, err);
    s->listener = s->bound = 0; /* the server's now */
    if (!s->api.server)
        return err_wrap(err, "listen on %s", c->listen);
    log_info("server.ready", KV("version", PLATEN_VERSION), KV("address", address),
             KV("port", (int64_t) http_server_port(s->api.server)),
             KV("tls", *c->tls_certificate ? "yes" : "no"), KV("data", c->data));
    return 0;
}

/* Prometheus' increase() sees a counter's first event only if the counter was there before it. */
static void count_from_zero(const struct serving *s)
{
    const struct tool *tool;

    store_count_from_zero();
    delivery_result_init_metrics();
    metric_add(METRIC_WORKER_RESTARTS, "platen-webhook", 0);
    metric_add(METRIC_RELOADS, "done", 0);
    metric_add(METRIC_RELOADS, "refused", 0);
    for (size_t i = 0; (tool = catalog_at(s->api.catalog, i)) != NULL; i++) {
        attempt_count_from_zero(tool->name);
        execution_count_from_zero(tool->name);
    }
}

/* sandbox/confinement/sandbox.c chooses the user. */
static void log_user(void)
{
    if (starter_runs() && !getpwnam("platen-worker"))
        log_info("worker.user_shared",
                 KV("why", "jobs run as uid 65534, which other daemons may use too: make a system "
                           "user platen-worker to keep them apart"));
}

static int start(struct serving *s, struct err *err)
{
    if ((s->listener = systemd_listener(err)) < 0)
        return -1;
    s->api.settings = live_new(&s->config, err);
    if (!s->api.settings)
        return -1;
    /* The worker programs come first: they are forked while this process is small. */
    if (lock_data(s, err) < 0 || bind_address(s, err) < 0 || open_stores(s, err) < 0 ||
        start_workers(s, err) < 0)
        return -1;
    count_from_zero(s);
    log_user();
    return start_http(s, err);
}

/* Until a signal says to stop; SIGHUP reads the settings again. The watchdog hears of us while the
 * store's writer takes requests: ending a lease of no job changes nothing but goes all the way. */
static void serve(struct serving *s, const sigset_t *signals)
{
    int64_t every = systemd_watchdog_ms() / 2;
    struct timespec interval = { every / 1000, every % 1000 * 1000000 };
    struct err ignored;
    int number;

    systemd_notify("READY=1");
    for (;;) {
        number = sigtimedwait(signals, NULL, every ? &interval : NULL);
        if (number == SIGHUP) {
            serving_reload(s);
        } else if (number > 0) {
            return;
        } else if (errno == EAGAIN) {
            store_heartbeat(s->api.store, "", 0, 0, 0, &ignored);
            systemd_notify("WATCHDOG=1");
        }
    }
}

/* The service manager gets the time that this may take, so that its timeout need not be configured.
 */
static void log_stop(const struct serving *s)
{
    AUTO_BUF struct buf lines = BUF_EMPTY;
    int64_t grace =
        s->config.shutdown_grace < GRACE_MOST_MS ? s->config.shutdown_grace : GRACE_MOST_MS;
    int64_t ms = grace + UPLOAD_GRACE_MS + STOP_REST_MS;

    buf_printf(&lines, "STOPPING=1\nEXTEND_TIMEOUT_USEC=%lld", (long long) ms * 1000);
    systemd_notify(buf_text(&lines));
}

/* While running jobs end, polls and downloads go on and submissions are answered 503. */
static void stop(struct serving *s)
{
    log_info("server.stopping", KV("grace_ms", s->config.shutdown_grace));
    log_stop(s);
    atomic_store(&s->api.draining, true);
    janitor_stop(s->janitor);
    dry_runs_stop(s->api.dry_runs);
    strips_stop(s->api.strips);
    /* Other servers do what this one has begun: they need not wait for its end. */
    dispatcher_stop(s->api.dispatcher,
                    s->api.store && store_is_shared(s->api.store) ? 0 : s->config.shutdown_grace);
    pulse_stop(s->pulse);
    if (s->api.server)
        http_server_drain(s->api.server);
    /* Requests under way still need the hub, the intake and the dispatcher: these go after them. */
    if (s->api.hub)
        hub_close(s->api.hub);
    if (s->api.server)
        http_server_close(s->api.server, UPLOAD_GRACE_MS);
    crew_free(s->api.fetches);
    crew_free(s->api.intake);
    dry_runs_free(s->api.dry_runs);
    strips_free(s->api.strips);
    visitors_free(s->api.visitors);
    rates_free(s->api.rates);
    dispatcher_free(s->api.dispatcher);
    shipper_stop(s->api.shipper);
    sender_stop(s->api.sender);
    hub_free(s->api.hub);
    pace_free(s->api.pace);
    buf_free(&s->api.openapi);
    buf_free(&s->api.openapi_older);
    openapi_copies_free(s->api.openapi_copies);
    catalog_close(s->api.catalog);
    blob_close(s->api.blobs);
    if (s->api.store)
        store_close(s->api.store);
    pulse_free(s->pulse);
    live_free(s->api.settings);
    if (s->lock >= 0)
        close(s->lock);
    log_info("server.stopped", KV("data", s->config.data));
}

/* Descriptors that jobs and the store need are not given to clients. */
static int fit_connections(const struct config *config)
{
    int carried = http_server_carries((int) config->max_connections);

    if (carried < config->max_connections)
        log_info("http.connections_lowered", KV("max_connections", config->max_connections),
                 KV("to", carried),
                 KV("why", "more connections need a higher limit of open files (ulimit -n)"));
    return carried;
}

static int run(int argc, char **argv, bool works_only)
{
    static struct serving s = { .lock = -1 };
    sigset_t signals;
    struct err err;

    s.works_only = works_only;
    s.api.began_ms = clock_mono_ms();
    s.n_words = argc;
    s.words = argv;
    if (serving_read(&s, &s.config, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (works_only && (!*s.config.store || !s.config.work))
        return cmd_fail(2, "platen work does jobs that other servers take: it needs their store "
                           "(--store postgresql://...), and work must be true");
    process_close_to_others();
    umask(077);
    cmd_log(&s.config);
    if (serving_leave_root(&s.config, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    serving_warn(&s.config);
    metric_add(METRIC_BUILD_INFO, PLATEN_VERSION, 1);
    metric_set(METRIC_RELOAD_TIME, (double) clock_wall_ms() / 1e3);
    cmd_raise_files();
    s.connections = fit_connections(&s.config);
    /* Few heaps instead of one a thread: the server is small and stays so. */
    mallopt(M_ARENA_MAX, 2);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    int started = start(&s, &err);
    if (started == 0) {
        serving_warn_plans(&s.config, s.api.store);
        serve(&s, &signals);
    } else {
        log_error("server.failed", KV("why", err.msg));
    }
    stop(&s);
    return started == 0 ? 0 : cmd_fail(1, "%s", err.msg);
}

int cmd_serve(int argc, char **argv)
{
    return run(argc, argv, false);
}

int cmd_work(int argc, char **argv)
{
    return run(argc, argv, true);
}
