/* serve: the server: everything started in order, and stopped in the opposite one. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "api/api.h"
#include "api/signing.h"
#include "base/log.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "dispatch/janitor.h"
#include "seal/notary.h"

#define PATH_BYTES      4096
#define UPLOAD_GRACE_MS 2000 /* what a stop waits for uploads that are under way */

struct serving {
    struct config config;
    struct notary notary;
    struct api api;
    int lock;
    struct janitor *janitor;
    struct http_server *server;
};

static int print_help(void)
{
    puts("platen serve [--config FILE] [--SETTING VALUE]...\n\n"
         "Settings, as words here, as PLATEN_SETTING in the environment, or as\n"
         "\"setting = value\" in the file:\n");
    cmd_print_settings();
    return 0;
}

/* One server for a data folder: two would each take the other's running jobs for lost ones. */
static int lock_data(struct serving *s, struct err *err)
{
    char path[PATH_BYTES];

    if (cmd_data_path(&s->config, "lock", path, sizeof path, err) < 0)
        return -1;
    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->lock < 0)
        return err_sys(err, "open %s", path);
    if (flock(s->lock, LOCK_EX | LOCK_NB) < 0)
        return errno == EWOULDBLOCK
                   ? err_set(err, ERR_INTERNAL, "another server runs on %s", s->config.data)
                   : err_sys(err, "lock %s", path);
    return 0;
}

static int open_stores(struct serving *s, struct err *err)
{
    char path[PATH_BYTES];

    if (cmd_data_path(&s->config, "platen.db", path, sizeof path, err) < 0)
        return -1;
    s->api.store = store_sqlite_open(path, err);
    if (!s->api.store || cmd_data_path(&s->config, "blobs", path, sizeof path, err) < 0)
        return -1;
    s->api.blobs = blob_fs_open(path, err);
    if (!s->api.blobs || cmd_data_path(&s->config, "url.key", path, sizeof path, err) < 0)
        return -1;
    if (signing_load(path, s->api.url_key, err) < 0)
        return -1;
    /* Nobody else runs on this data: what is running there was lost with the server before. */
    int lost = store_reclaim(s->api.store, INT64_MAX, err);
    if (lost > 0)
        log_warn("jobs.put_back", KV("jobs", lost));
    return lost < 0 ? -1 : 0;
}

/* An operator's seal that cannot be used is told at once. */
static int check_seal(const struct serving *s, struct err *err)
{
    const struct tool_services *services = &s->notary.services;
    AUTO_BUF struct buf chain = BUF_EMPTY;

    if (access(s->notary.program, X_OK) < 0)
        log_warn("program.absent", KV("program", "platen-notary"),
                 KV("why", "nothing can be sealed or stamped"));
    return *s->config.seal_certificate ? services->seal_chain(services->cls, &chain, err) : 0;
}

static int start_workers(struct serving *s, struct err *err)
{
    const struct config *c = &s->config;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct dispatcher_config dispatcher = {
        .turn = { .store = s->api.store,
                  .blobs = s->api.blobs,
                  .lease_ms = c->lease,
                  .retention_ms = c->retention,
                  .max_attempts = c->job_attempts,
                  .limits = { .run_ms = c->job_timeout,
                              .memory_bytes = c->job_memory,
                              .output_bytes = c->job_output } },
        .workers = c->workers ? (int) c->workers : (int) (cores > 0 ? cores + 1 : 2),
    };
    struct janitor_config janitor = { .store = s->api.store,
                                      .blobs = s->api.blobs,
                                      .tombstone_ms = c->tombstone };

    s->api.catalog = catalog_open(c->programs, c->allow_unsandboxed, NULL, err);
    if (!s->api.catalog)
        return -1;
    s->api.hub = hub_new(err);
    s->api.intake = s->api.hub ? crew_new("intake", (size_t) c->intake_threads, err) : NULL;
    if (!s->api.intake)
        return -1;
    if (cmd_notary(c, &s->notary, err) < 0 || check_seal(s, err) < 0)
        return -1;
    dispatcher.turn.services = &s->notary.services;
    dispatcher.turn.catalog = s->api.catalog;
    dispatcher.turn.hub = s->api.hub;
    s->api.dispatcher = dispatcher_new(&dispatcher, err);
    if (!s->api.dispatcher)
        return -1;
    janitor.dispatcher = s->api.dispatcher;
    janitor.pending = &s->api.pending;
    s->janitor = janitor_new(&janitor, err);
    return s->janitor ? 0 : -1;
}

static int start_http(struct serving *s, struct err *err)
{
    const struct config *c = &s->config;
    char address[128];
    struct http_server_config http = {
        .address = address,
        .data = &s->api,
        .problem = api_problem,
        .finish = api_finish,
        .threads = (int) c->http_threads,
        .max_connections = (int) c->max_connections,
        .idle_timeout_ms = c->idle_timeout,
        .header_timeout_ms = c->header_timeout,
        .min_body_rate = c->min_body_rate,
        .body_grace_ms = c->body_grace,
    };

    if (config_split_listen(c->listen, address, sizeof address, &http.port, err) < 0)
        return -1;
    http.routes = api_routes(&http.n_routes);
    s->server = http_server_open(&http, err);
    if (!s->server)
        return err_wrap(err, "listen on %s", c->listen);
    log_info("server.ready", KV("version", PLATEN_VERSION), KV("address", address),
             KV("port", (int64_t) http_server_port(s->server)), KV("data", c->data));
    return 0;
}

static int start(struct serving *s, struct err *err)
{
    s->api.config = &s->config;
    /* The worker programs come first: they are forked while this process is small. */
    if (lock_data(s, err) < 0 || open_stores(s, err) < 0 || start_workers(s, err) < 0)
        return -1;
    return start_http(s, err);
}

/* While running jobs end, polls and downloads go on and submissions are answered 503. */
static void stop(struct serving *s)
{
    log_info("server.stopping", KV("grace_ms", s->config.shutdown_grace));
    atomic_store(&s->api.draining, true);
    janitor_stop(s->janitor);
    dispatcher_stop(s->api.dispatcher, s->config.shutdown_grace);
    if (s->server)
        http_server_drain(s->server);
    /* Requests under way still need the hub, the intake and the dispatcher: these go after them. */
    if (s->api.hub)
        hub_close(s->api.hub);
    if (s->server)
        http_server_close(s->server, UPLOAD_GRACE_MS);
    crew_free(s->api.intake);
    dispatcher_free(s->api.dispatcher);
    hub_free(s->api.hub);
    catalog_close(s->api.catalog);
    blob_close(s->api.blobs);
    if (s->api.store)
        store_close(s->api.store);
    if (s->lock >= 0)
        close(s->lock);
    log_info("server.stopped", KV("data", s->config.data));
}

int cmd_serve(int argc, char **argv)
{
    static struct serving s = { .lock = -1 };
    char address[128];
    sigset_t stops;
    struct err err;
    int signal_number;
    uint16_t port;

    if (cmd_wants_help(argc, argv))
        return print_help();
    if (cmd_config(&s.config, &argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (config_split_listen(s.config.listen, address, sizeof address, &port, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (argc > 1)
        return cmd_fail(2, "serve knows no %s; platen serve --help lists the settings", argv[1]);
    cmd_raise_files();
    /* Few heaps instead of one a thread: the server is small and stays so. */
    mallopt(M_ARENA_MAX, 2);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stops, NULL);
    int started = start(&s, &err);
    if (started == 0)
        sigwait(&stops, &signal_number);
    stop(&s);
    return started == 0 ? 0 : cmd_fail(1, "%s", err.msg);
}
