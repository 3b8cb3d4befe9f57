#include "server/http/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "server/http/exchange.h"
#include "server/http/framing.h"
#include "server/http/internals.h"
#include "server/http/tls.h"
#include "server/http/watch.h"

/* A connection may need a socket, an upload's file and a result's file. */
#define DESCRIPTORS_EACH  3
#define DESCRIPTORS_ELSE  512 /* half of them are for the folders of the blobs */
#define CONNECTIONS_LEAST 16
#define SPARE_CONNECTIONS 8192 /* more than ever wait at a listener */

struct http_server {
    struct http_server_config config;
    struct exchange_home home;
    struct watch *watch;
    struct MHD_Daemon *daemon;
    uint16_t port;
};

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static int read_address(const char *text, uint16_t port, union address *out, struct err *err)
{
    *out = (union address){ 0 };
    if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons(port);
        return 0;
    }
    if (inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons(port);
        return 0;
    }
    return err_set(err, ERR_INVALID_PARAMETER, "\"%s\" is not an address to listen at", text);
}

static int bound_port(int fd, uint16_t *port, struct err *err)
{
    union address address = { 0 };
    socklen_t size = sizeof(address);

    if (getsockname(fd, &address.any, &size) < 0)
        return err_sys(err, "getsockname");
    *port = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    return 0;
}

int http_bind(const char *text, uint16_t port, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    union address address;
    int yes = 1;

    if (read_address(text, port, &address, err) < 0)
        return -1;
    fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return err_sys(err, "socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (bind(fd, &address.any,
             address.any.sa_family == AF_INET ? sizeof(address.v4) : sizeof(address.v6)) < 0)
        return err_sys(err, "cannot listen at %s port %u", text, port);
    return scope_take_fd(&fd);
}

/* Returns the socket that the server accepts from: the one that the service manager passed, the
 * one that was bound before, or a new one. */
static int open_listener(const struct http_server_config *config, struct err *err)
{
    AUTO_CLOSE int fd = -1;

    if (config->listener > 0)
        return config->listener;
    fd = config->bound > 0 ? config->bound : http_bind(config->address, config->port, err);
    if (fd < 0)
        return -1;
    if (listen(fd, SOMAXCONN) < 0)
        return err_sys(err, "cannot listen at %s port %u", config->address, config->port);
    return scope_take_fd(&fd);
}

int http_server_carries(int max_connections)
{
    rlim_t want = (rlim_t) max_connections * DESCRIPTORS_EACH + DESCRIPTORS_ELSE;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= want)
        return max_connections;
    limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0 && getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return max_connections;
    if (limit.rlim_cur >= want)
        return max_connections;
    if (limit.rlim_cur < DESCRIPTORS_ELSE + CONNECTIONS_LEAST * DESCRIPTORS_EACH)
        return max_connections < CONNECTIONS_LEAST ? max_connections : CONNECTIONS_LEAST;
    return (int) ((limit.rlim_cur - DESCRIPTORS_ELSE) / DESCRIPTORS_EACH);
}

/* Leaves escapes as they are: target.c decodes them, which distinguishes a separator from an
 * escaped one. */
static size_t leave_escapes(void *arg, struct MHD_Connection *mhd, char *text)
{
    (void) arg;
    (void) mhd;
    return strlen(text);
}

static char priorities[] = TLS_PRIORITIES;

static struct MHD_Daemon *start_daemon(struct http_server *server)
{
    const struct http_server_config *config = &server->config;
    /* Not MHD_USE_TURBO: with it a connection may be closed without notice, and pool.c could not
     * know that its memory is gone. */
    const unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                               MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC |
                               (server->home.secure ? MHD_USE_TLS : 0);
    const size_t memory = server->home.secure ? FRAMING_MEMORY_TLS : FRAMING_MEMORY;
    unsigned int threads = (unsigned int) config->threads;
    struct MHD_OptionItem options[5];
    size_t n = 0;

    if (server->home.secure) {
        options[n++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_CERT_CALLBACK, 0,
                                                (void *) (uintptr_t) tls_retrieve };
        options[n++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_PRIORITIES, 0, priorities };
    }
    if (threads >= 2) /* libmicrohttpd has no pool of one thread */
        options[n++] = (struct MHD_OptionItem){ MHD_OPTION_THREAD_POOL_SIZE, threads, NULL };
    if (!internals_use(INTERNALS_LINES))
        options[n++] = (struct MHD_OptionItem){ MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL };
    options[n] = (struct MHD_OptionItem){ MHD_OPTION_END, 0, NULL };
    /* The watch enforces max_connections; libmicrohttpd would divide them among its threads. Its
     * own limit must never be reached: 0.9.75 then takes a lock twice, and its thread hangs. */
    return MHD_start_daemon(
        flags, 0, NULL, NULL, exchange_step, &server->home, MHD_OPTION_CONNECTION_LIMIT,
        ((unsigned int) config->max_connections + SPARE_CONNECTIONS) * threads,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT, 0U,
        MHD_OPTION_URI_LOG_CALLBACK, exchange_open, &server->home, MHD_OPTION_NOTIFY_COMPLETED,
        exchange_close, &server->home, MHD_OPTION_NOTIFY_CONNECTION, watch_notify, server->watch,
        MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL, MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

static void free_server(struct http_server *server)
{
    watch_free(server->watch);
    pthread_mutex_destroy(&server->home.lock);
    pthread_cond_destroy(&server->home.quiet);
    free(server);
}

static struct watch_limits limits_of(const struct http_server_config *config)
{
    return (struct watch_limits){
        .max_connections = config->max_connections,
        .max_per_client = config->max_per_client,
        .is_proxy = config->is_proxy,
        .arg = config->data,
        .idle_ms = config->idle_timeout_ms,
        .header_ms = config->header_timeout_ms,
        .grace_ms = config->body_grace_ms,
        .min_rate = config->min_body_rate,
    };
}

static int start(struct http_server *server, struct err *err)
{
    const struct http_server_config *config = &server->config;
    const struct watch_limits limits = limits_of(config);
    bool passed = config->listener > 0;
    int listener = open_listener(config, err);

    if (listener < 0)
        return -1;
    if (server->home.secure && tls_use(config->tls_certificate, config->tls_key, err) < 0) {
        close(listener);
        return -1;
    }
    server->watch = watch_new(listener, passed, &limits, &server->home, err);
    if (!server->watch || bound_port(listener, &server->port, err) < 0)
        return -1;
    internals_log();
    http_server_carries(config->max_connections); /* raises the limit as far as it goes */
    server->daemon = start_daemon(server);
    if (!server->daemon)
        return err_sys(err, "the HTTP server does not start");
    if (watch_start(server->watch, server->daemon, err) < 0) {
        MHD_stop_daemon(server->daemon);
        return -1;
    }
    return 0;
}

struct http_server *http_server_open(const struct http_server_config *config, struct err *err)
{
    struct http_server *server = calloc(1, sizeof(*server));

    if (!server) {
        err_sys(err, "server");
        return NULL;
    }
    server->config = *config;
    server->home.secure = config->tls_certificate && *config->tls_certificate;
    server->home.config = &server->config;
    pthread_mutex_init(&server->home.lock, NULL);
    thread_cond_init(&server->home.quiet);
    if (start(server, err) < 0) {
        free_server(server);
        return NULL;
    }
    return server;
}

uint16_t http_server_port(const struct http_server *server)
{
    return server->port;
}

int http_server_connections(const struct http_server *server)
{
    return watch_connections(server->watch);
}

int http_server_change(struct http_server *server, const struct http_server_config *config,
                       struct err *err)
{
    const struct watch_limits limits = limits_of(config);

    if (server->home.secure && tls_use(config->tls_certificate, config->tls_key, err) < 0)
        return -1;
    watch_change(server->watch, &limits);
    return 0;
}

void http_server_drain(struct http_server *server)
{
    atomic_store(&server->home.draining, true);
    watch_close_listener(server->watch);
}

void http_server_close(struct http_server *server, int64_t grace_ms)
{
    struct exchange_home *home = &server->home;
    int64_t until = clock_mono_ms() + grace_ms, left;

    http_server_drain(server);
    pthread_mutex_lock(&home->lock);
    home->closing = true;
    while (atomic_load(&home->in_flight) > 0 && (left = until - clock_mono_ms()) > 0)
        thread_cond_wait_ms(&home->quiet, &home->lock, left);
    /* The owner of one of these would resume a connection that was freed. */
    while (atomic_load(&home->parked) > 0)
        pthread_cond_wait(&home->quiet, &home->lock);
    pthread_mutex_unlock(&home->lock);
    watch_stop(server->watch);
    watch_empty(server->watch);
    MHD_stop_daemon(server->daemon);
    if (server->home.secure)
        tls_end();
    free_server(server);
}
