#include "server/http/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fnv.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "server/http/accept_queue.h"
#include "server/http/connection.h"
#include "server/http/deadline.h"
#include "server/http/lingering.h"

#define TICK_MIN 20
#define TICK_MAX 1000
#define PEERS    4096 /* size of the hash table */
#define NEW_MS   1000 /* a connection is given to send its first line */

/* A client's address and how many connections it has. */
struct peer {
    struct peer *next;
    struct net_address address;
    int n;
};

struct watch {
    struct watch_limits limits;
    void *home;
    struct MHD_Daemon *daemon;
    int wake; /* eventfd, signalled when a connection closes at the limit, or to stop */
    pthread_t thread;
    bool started;

    pthread_mutex_t lock; /* guards limits, tick_ms and the members below */
    int64_t tick_ms;
    int listener; /* -1: closed */
    bool shared;  /* other processes listen there too */
    bool stopping;
    atomic_int n_conns; /* written under lock */
    int handed;         /* connections that libmicrohttpd was given and has not reported yet */
    bool full;          /* the thread waits for a connection to close */
    int n_own;          /* connections of this machine itself */
    struct accept_queue accept_queue;
    struct lingering lingering;
    struct watch_conn *conns;
    struct peer *peers[PEERS];
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t tick_of(const struct watch_limits *limits)
{
    int64_t tick = least(least(limits->idle_ms, limits->header_ms), limits->grace_ms) / 8;

    return tick < TICK_MIN ? TICK_MIN : least(tick, TICK_MAX);
}

struct watch *watch_new(int listener, bool shared, const struct watch_limits *limits, void *home,
                        struct err *err)
{
    struct watch *watch = calloc(1, sizeof(*watch));

    if (!watch) {
        close(listener);
        err_sys(err, "watch");
        return NULL;
    }
    watch->limits = *limits;
    watch->home = home;
    watch->listener = listener;
    watch->shared = shared;
    pthread_mutex_init(&watch->lock, NULL);
    watch->tick_ms = tick_of(limits);
    watch->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (watch->wake < 0) {
        err_sys(err, "eventfd");
        watch_free(watch);
        return NULL;
    }
    return watch;
}

void *watch_home(const struct watch *watch)
{
    return watch->home;
}

void watch_empty(struct watch *watch)
{
    int64_t until = clock_mono_ms() + WATCH_EMPTY_MS;

    pthread_mutex_lock(&watch->lock);
    for (struct watch_conn *conn = watch->conns; conn; conn = conn->next)
        shutdown(conn->fd, SHUT_RD);
    pthread_mutex_unlock(&watch->lock);
    while (watch_connections(watch) > 0 && clock_mono_ms() < until)
        poll(NULL, 0, 1);
}

void watch_free(struct watch *watch)
{
    if (!watch)
        return;
    watch_close_listener(watch);
    lingering_clear(&watch->lingering);
    if (watch->wake >= 0)
        close(watch->wake);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}

static void wake(const struct watch *watch)
{
    uint64_t one = 1;

    while (write(watch->wake, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

/* The address that a client is counted by: in IPv6 a client has a network of 64 bits (RFC 6177). */
static struct net_address client_of(struct net_address address)
{
    static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

    if (memcmp(address.bytes, mapped, sizeof mapped) != 0)
        memset(address.bytes + 8, 0, 8);
    return address;
}

static struct peer **peer_at(struct watch *watch, const struct net_address *address)
{
    uint64_t hash = fnv_bytes(FNV_START, address->bytes, sizeof address->bytes);
    struct peer **at;

    at = &watch->peers[hash % PEERS];
    while (*at && memcmp(&(*at)->address, address, sizeof *address) != 0)
        at = &(*at)->next;
    return at;
}

/* Whether a connection keeps its place in a full server: a reserved one, and one that came just now
 * and whose first request may be under way (under lock). */
static bool is_spared(const struct watch *watch, const struct watch_conn *conn)
{
    return (conn->own && watch->n_own <= WATCH_RESERVED) ||
           (conn->fresh && clock_mono_ms() - conn->since < NEW_MS);
}

/* The connection that has been idle longest, of one client or of all (under lock); NULL: none is
 * idle. The list begins with the newest, which is chosen last. */
static struct watch_conn *longest_idle(struct watch *watch, const struct peer *peer)
{
    struct watch_conn *oldest = NULL;

    for (struct watch_conn *conn = watch->conns; conn; conn = conn->next)
        if (conn->phase == WATCH_IDLE && !conn->late && conn->begun == 0 &&
            (peer ? conn->peer == peer : !is_spared(watch, conn)) &&
            (!oldest || conn->since <= oldest->since))
            oldest = conn;
    return oldest;
}

/* The connection whose request has been arriving longest without being complete: its client can
 * send everything again. */
static struct watch_conn *longest_in_headers(struct watch *watch)
{
    struct watch_conn *oldest = NULL;

    for (struct watch_conn *conn = watch->conns; conn; conn = conn->next)
        if ((conn->phase == WATCH_HEADERS || conn->phase == WATCH_IDLE) && !conn->late &&
            !is_spared(watch, conn) && (!oldest || conn->since <= oldest->since))
            oldest = conn;
    return oldest;
}

static bool is_proxy(const struct watch *watch, const struct net_address *address)
{
    const struct watch_limits *limits = &watch->limits;

    return limits->is_proxy && limits->is_proxy(limits->arg, address);
}

/* An address of this machine itself: an operator's, or a program's that watches the server. */
static bool is_own(const struct watch *watch, const struct net_address *address)
{
    return net_is_loopback(address) && !is_proxy(watch, address);
}

/* Counts a new connection for its client. One too many takes the place of the client's own idle
 * one; if there is none, it is cut off itself (under lock). */
static void count_in(struct watch *watch, struct watch_conn *conn, struct net_address address)
{
    const struct watch_limits *limits = &watch->limits;
    struct watch_conn *idle;
    struct peer **at;

    if (limits->max_per_client == 0 || is_proxy(watch, &address))
        return;
    address = client_of(address);
    at = peer_at(watch, &address);
    if (!*at && (*at = calloc(1, sizeof **at)) != NULL)
        (*at)->address = address;
    conn->peer = *at;
    if (!conn->peer || ++conn->peer->n <= limits->max_per_client)
        return;
    idle = longest_idle(watch, conn->peer);
    if (idle && idle != conn) {
        deadline_cut(idle, "client");
        return;
    }
    atomic_store(&conn->late, true);
    deadline_cut(conn, "client");
}

static void count_out(struct watch *watch, struct peer *peer)
{
    struct peer **at;

    if (!peer || --peer->n > 0)
        return;
    at = peer_at(watch, &peer->address);
    *at = peer->next;
    free(peer);
}

static void add(struct watch *watch, struct watch_conn *conn, struct net_address address)
{
    pthread_mutex_lock(&watch->lock);
    conn->next = watch->conns;
    conn->link = &watch->conns;
    if (conn->next)
        conn->next->link = &conn->next;
    watch->conns = conn;
    watch->n_conns++;
    conn->own = is_own(watch, &address);
    watch->n_own += conn->own;
    if (watch->handed > 0)
        watch->handed--;
    count_in(watch, conn, address);
    pthread_mutex_unlock(&watch->lock);
}

/* libmicrohttpd closes the descriptor after this call, so the watch must not touch it later: it
 * may belong to something else by then. */
static void drop(struct watch *watch, struct watch_conn *conn)
{
    pthread_mutex_lock(&watch->lock);
    *conn->link = conn->next;
    if (conn->next)
        conn->next->link = conn->link;
    watch->n_conns--;
    watch->n_own -= conn->own;
    count_out(watch, conn->peer);
    if (watch->full) {
        watch->full = false;
        wake(watch);
    }
    pthread_mutex_unlock(&watch->lock);
    free(conn);
}

void watch_notify(void *arg, struct MHD_Connection *mhd, void **context,
                  enum MHD_ConnectionNotificationCode code)
{
    struct watch *watch = arg;
    const union MHD_ConnectionInfo *info;
    struct watch_conn *conn = *context;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        *context = NULL;
        if (conn) {
            pool_forget(&conn->pool);
            drop(watch, conn);
        }
        return;
    }
    info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
    conn = info ? calloc(1, sizeof(*conn)) : NULL;
    *context = conn;
    if (!conn)
        return;
    conn->watch = watch;
    conn->fd = info->connect_fd;
    conn->fresh = true;
    pool_open(&conn->pool, conn->fd, connection_tls(mhd) != NULL);
    conn->since = clock_mono_ms();
    add(watch, conn, connection_peer(mhd));
}

void watch_enter(struct watch_conn *conn, enum watch_phase phase)
{
    atomic_store_explicit(&conn->fresh, false, memory_order_relaxed);
    atomic_store_explicit(&conn->since, clock_mono_ms(), memory_order_relaxed);
    if (phase == WATCH_BODY)
        atomic_store_explicit(&conn->body_bytes, 0, memory_order_relaxed);
    atomic_store_explicit(&conn->phase, phase, memory_order_release);
}

/* At the limit, closes the connection that has been idle longest; if none is idle, the one that
 * has been sending its headers longest (under lock). */
static void evict(struct watch *watch)
{
    struct watch_conn *oldest = longest_idle(watch, NULL);

    if (!oldest)
        oldest = longest_in_headers(watch);
    if (oldest)
        deadline_cut(oldest, "room");
}

void watch_linger(struct watch_conn *conn)
{
    struct watch *watch = conn->watch;
    int fd = fcntl(conn->fd, F_DUPFD_CLOEXEC, 0);

    if (fd < 0)
        return;
    pthread_mutex_lock(&watch->lock);
    lingering_add(&watch->lingering, fd, clock_mono_ms());
    wake(watch);
    pthread_mutex_unlock(&watch->lock);
}

/* How many places are left (under lock). `reserved`: for a connection of this machine itself, whose
 * places are not those of others. */
static int places(const struct watch *watch, bool reserved)
{
    int own = watch->n_own < WATCH_RESERVED && !reserved ? watch->n_own : WATCH_RESERVED;

    return watch->limits.max_connections + own - watch->n_conns - watch->handed;
}

static void hand_over(struct watch *watch, const struct arrival *arrival)
{
    watch->handed++;
    pthread_mutex_unlock(&watch->lock); /* libmicrohttpd may call watch_notify */
    MHD_add_connection(watch->daemon, arrival->fd, (const struct sockaddr *) &arrival->addr,
                       arrival->size);
    pthread_mutex_lock(&watch->lock);
}

/* Whether there was one. */
static bool accept_one(struct watch *watch, struct arrival *out)
{
    do {
        out->size = sizeof(out->addr);
        out->fd = accept4(watch->listener, (struct sockaddr *) &out->addr, &out->size,
                          SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (out->fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (out->fd < 0)
        return false;
    out->address = net_of_socket((const struct sockaddr *) &out->addr);
    out->counted = watch->limits.max_per_client > 0 && !is_proxy(watch, &out->address);
    out->client = client_of(out->address);
    return true;
}

/* Whether the client of a new connection has all that it may have, and none of them is idle: it
 * would be cut as soon as libmicrohttpd has made it (under lock). */
static bool is_surplus(struct watch *watch, const struct arrival *arrival)
{
    const struct peer *peer = arrival->counted ? *peer_at(watch, &arrival->client) : NULL;

    return peer && peer->n >= watch->limits.max_per_client && !longest_idle(watch, peer);
}

static void let_in(struct watch *watch, const struct arrival *arrival)
{
    if (is_surplus(watch, arrival)) {
        close(arrival->fd);
        log_debug("http.cut", KV("why", "client"));
        return;
    }
    if ((watch->accept_queue.n == 0 && places(watch, false) > 0) ||
        (is_own(watch, &arrival->address) && places(watch, true) > 0)) {
        hand_over(watch, arrival);
    } else if (!accept_queue_add(&watch->accept_queue, arrival)) {
        close(arrival->fd);
        log_debug("http.cut", KV("why", "full"));
    }
}

/* Accepts the connections that wait (under lock). Returns how long to leave the listener alone. */
static int64_t reap(struct watch *watch)
{
    struct arrival arrival;

    while (watch->listener >= 0 && accept_one(watch, &arrival))
        let_in(watch, &arrival);
    if (watch->listener < 0 || errno == EAGAIN)
        return 0;
    return watch->tick_ms; /* no descriptors, no memory */
}

/* Those that wait get the places that are free; if none is, one is freed, and its end wakes the
 * thread (under lock). */
static void admit(struct watch *watch)
{
    struct arrival arrival;

    while (places(watch, false) > 0 && accept_queue_remove(&watch->accept_queue, &arrival))
        hand_over(watch, &arrival);
    if (watch->accept_queue.n == 0 || watch->full)
        return;
    watch->full = true;
    evict(watch);
}

/* What is done once in a while (under lock). */
static void tick(struct watch *watch, int64_t now)
{
    for (struct watch_conn *conn = watch->conns; conn; conn = conn->next)
        deadline_enforce(&watch->limits, conn, now);
    lingering_step(&watch->lingering, now);
    watch->handed = 0; /* those it has not told of by now it has dropped */
    watch->full = false;
}

static void *run(void *arg)
{
    struct watch *watch = arg;
    int64_t next = clock_mono_ms() + watch->tick_ms, pause_until = 0;

    pthread_mutex_lock(&watch->lock);
    while (!watch->stopping) {
        int64_t now = clock_mono_ms(), wait;
        struct pollfd polls[2 + LINGERING_SOCKETS] = {
            { .fd = watch->wake, .events = POLLIN },
            { .fd = now < pause_until ? -1 : watch->listener, .events = POLLIN },
        };
        size_t n_lingering = lingering_polls(&watch->lingering, polls + 2);
        uint64_t count;

        if (now >= next) {
            tick(watch, now);
            admit(watch);
            next = now + watch->tick_ms;
            continue;
        }
        pthread_mutex_unlock(&watch->lock);
        wait = next - now;
        poll(polls, 2 + n_lingering, (int) wait);
        if (polls[0].revents && read(watch->wake, &count, sizeof(count)) > 0)
            pause_until = 0;
        pthread_mutex_lock(&watch->lock);
        if (n_lingering > 0)
            lingering_step(&watch->lingering, clock_mono_ms());
        if (polls[1].revents && watch->listener >= 0) {
            int64_t pause = reap(watch);

            pause_until = pause ? clock_mono_ms() + pause : 0;
        }
        admit(watch);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

int watch_start(struct watch *watch, struct MHD_Daemon *daemon, struct err *err)
{
    watch->daemon = daemon;
    if (thread_start(&watch->thread, "http-watch", run, watch, err) < 0)
        return -1;
    watch->started = true;
    return 0;
}

void watch_change(struct watch *watch, const struct watch_limits *limits)
{
    pthread_mutex_lock(&watch->lock);
    const struct watch_limits old = watch->limits;

    watch->limits = *limits;
    watch->limits.max_connections = old.max_connections;
    watch->limits.max_per_client = old.max_per_client;
    watch->limits.is_proxy = old.is_proxy;
    watch->limits.arg = old.arg;
    watch->tick_ms = tick_of(limits);
    wake(watch); /* its current sleep may be longer than the new limits allow */
    pthread_mutex_unlock(&watch->lock);
}

int watch_connections(struct watch *watch)
{
    return atomic_load_explicit(&watch->n_conns, memory_order_relaxed);
}

void watch_close_listener(struct watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    if (watch->listener >= 0) {
        if (!watch->shared)
            shutdown(watch->listener, SHUT_RDWR); /* the thread's poll(2) would keep it open */
        close(watch->listener);
        watch->listener = -1;
    }
    accept_queue_clear(&watch->accept_queue);
    pthread_mutex_unlock(&watch->lock);
}

void watch_stop(struct watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->stopping = true;
    wake(watch);
    pthread_mutex_unlock(&watch->lock);
    if (watch->started)
        pthread_join(watch->thread, NULL);
    watch->started = false;
}
