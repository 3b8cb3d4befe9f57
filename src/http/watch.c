#include "http/watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "http/connection.h"
#include "http/deadline.h"

#define TICK_MIN 20
#define TICK_MAX 1000

struct watch {
    struct watch_limits limits;
    struct MHD_Daemon *daemon;
    int wake; /* eventfd: a connection closed at the limit, or it is time to stop */
    pthread_t thread;
    bool started;

    pthread_mutex_t lock; /* guards limits, tick_ms and what follows */
    int64_t tick_ms;
    int listener; /* -1: closed */
    bool shared;  /* others listen there too */
    bool stopping;
    atomic_int n_conns; /* written under lock */
    bool full;          /* the thread waits for a connection to close */
    struct watch_conn *conns;
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

struct watch *watch_new(int listener, bool shared, const struct watch_limits *limits,
                        struct err *err)
{
    struct watch *watch = calloc(1, sizeof(*watch));

    if (!watch) {
        close(listener);
        err_sys(err, "watch");
        return NULL;
    }
    watch->limits = *limits;
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

void watch_free(struct watch *watch)
{
    if (!watch)
        return;
    watch_close_listener(watch);
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

static void add(struct watch *watch, struct watch_conn *conn)
{
    pthread_mutex_lock(&watch->lock);
    conn->next = watch->conns;
    conn->link = &watch->conns;
    if (conn->next)
        conn->next->link = &conn->next;
    watch->conns = conn;
    watch->n_conns++;
    pthread_mutex_unlock(&watch->lock);
}

/* libmicrohttpd closes the descriptor after this call, so the watch never touches one that is
 * someone else's by now. */
static void drop(struct watch *watch, struct watch_conn *conn)
{
    pthread_mutex_lock(&watch->lock);
    *conn->link = conn->next;
    if (conn->next)
        conn->next->link = conn->link;
    watch->n_conns--;
    if (watch->full) {
        watch->full = false;
        wake(watch);
    }
    pthread_mutex_unlock(&watch->lock);
    free(conn);
}

void watch_notify(void *cls, struct MHD_Connection *mhd, void **context,
                  enum MHD_ConnectionNotificationCode code)
{
    struct watch *watch = cls;
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
    conn->fd = info->connect_fd;
    conn->fresh = true;
    pool_open(&conn->pool, conn->fd, connection_tls(mhd) != NULL);
    conn->since = clock_mono_ms();
    add(watch, conn);
}

void watch_enter(struct watch_conn *conn, enum watch_phase phase)
{
    atomic_store_explicit(&conn->fresh, false, memory_order_relaxed);
    atomic_store_explicit(&conn->since, clock_mono_ms(), memory_order_relaxed);
    if (phase == WATCH_BODY)
        atomic_store_explicit(&conn->body_bytes, 0, memory_order_relaxed);
    atomic_store_explicit(&conn->phase, phase, memory_order_release);
}

/* At the limit, the connection that has been idle longest makes room (under lock). */
static void evict(struct watch *watch)
{
    struct watch_conn *oldest = NULL;

    for (struct watch_conn *conn = watch->conns; conn; conn = conn->next)
        if (conn->phase == WATCH_IDLE && !conn->late && conn->begun == 0 &&
            (!oldest || conn->since < oldest->since))
            oldest = conn;
    if (oldest)
        deadline_cut(oldest, "room");
}

static bool somebody_waits(int listener)
{
    struct pollfd polled = { .fd = listener, .events = POLLIN };

    return poll(&polled, 1, 0) > 0;
}

/* Takes what waits at the listener (under lock). Returns how long to leave the listener alone. */
static int64_t take(struct watch *watch)
{
    for (;;) {
        struct sockaddr_storage addr;
        socklen_t size = sizeof(addr);
        int fd;

        if (watch->n_conns >= watch->limits.max_connections) {
            if (!somebody_waits(watch->listener))
                return 0;
            watch->full = true;
            evict(watch);
            return watch->tick_ms;
        }
        fd = accept4(watch->listener, (struct sockaddr *) &addr, &size,
                     SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0)
            return errno == EAGAIN ? 0 : watch->tick_ms; /* no descriptors, no memory */
        pthread_mutex_unlock(&watch->lock);              /* libmicrohttpd may call watch_notify */
        MHD_add_connection(watch->daemon, fd, (struct sockaddr *) &addr, size);
        pthread_mutex_lock(&watch->lock);
        if (watch->listener < 0)
            return 0;
    }
}

static void *run(void *arg)
{
    struct watch *watch = arg;
    int64_t next = clock_mono_ms() + watch->tick_ms, pause_until = 0;

    pthread_mutex_lock(&watch->lock);
    while (!watch->stopping) {
        int64_t now = clock_mono_ms(), wait;
        struct pollfd polls[] = {
            { .fd = watch->wake, .events = POLLIN },
            { .fd = now < pause_until ? -1 : watch->listener, .events = POLLIN },
        };
        uint64_t count;

        if (now >= next) {
            for (struct watch_conn *conn = watch->conns; conn; conn = conn->next)
                deadline_judge(&watch->limits, conn, now);
            next = now + watch->tick_ms;
        }
        pthread_mutex_unlock(&watch->lock);
        wait = next - now;
        poll(polls, 2, wait > 0 ? (int) wait : 0);
        if (polls[0].revents && read(watch->wake, &count, sizeof(count)) > 0)
            pause_until = 0;
        pthread_mutex_lock(&watch->lock);
        if (polls[1].revents && watch->listener >= 0) {
            int64_t pause = take(watch);

            pause_until = pause ? clock_mono_ms() + pause : 0;
        }
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
    int most = watch->limits.max_connections;

    watch->limits = *limits;
    watch->limits.max_connections = most;
    watch->tick_ms = tick_of(limits);
    wake(watch); /* it may sleep for longer than the new ones allow */
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
