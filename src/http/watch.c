#include "http/watch.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

#define LINGER_MS  5000
#define CLOSE_WAIT 8 /* TCP_CLOSE_WAIT of netinet/tcp.h, which linux/tcp.h cannot stand */
#define TICK_MIN   20
#define TICK_MAX   1000

struct watch {
    struct watch_limits limits;
    struct MHD_Daemon *daemon;
    int64_t tick_ms;
    int wake; /* eventfd: a connection closed at the limit, or it is time to stop */
    pthread_t thread;
    bool started;

    pthread_mutex_t lock;
    int listener; /* -1: closed */
    bool stopping;
    int n_conns;
    bool full; /* the thread waits for a connection to close */
    struct watch_conn *conns;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct watch *watch_new(int listener, const struct watch_limits *limits, struct err *err)
{
    struct watch *watch = calloc(1, sizeof(*watch));
    int64_t tick;

    if (!watch) {
        close(listener);
        err_sys(err, "watch");
        return NULL;
    }
    watch->limits = *limits;
    watch->listener = listener;
    pthread_mutex_init(&watch->lock, NULL);
    tick = least(least(limits->idle_ms, limits->header_ms), limits->grace_ms) / 8;
    watch->tick_ms = tick < TICK_MIN ? TICK_MIN : least(tick, TICK_MAX);
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
        if (conn)
            drop(watch, conn);
        return;
    }
    info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
    conn = info ? calloc(1, sizeof(*conn)) : NULL;
    *context = conn;
    if (!conn)
        return;
    conn->fd = info->connect_fd;
    conn->fresh = true;
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

static struct tcp_info tcp_info(const struct watch_conn *conn)
{
    struct tcp_info info = { 0 };
    socklen_t size = sizeof(info);

    if (getsockopt(conn->fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0)
        return (struct tcp_info){ 0 };
    return info;
}

/* Ends the client's side, so that libmicrohttpd sees the end of the stream and the exchange can
 * still answer 408; if that was done before and did not help, both sides. */
static void cut(struct watch_conn *conn, const char *why)
{
    bool again = atomic_exchange(&conn->late, true);

    shutdown(conn->fd, again ? SHUT_RDWR : SHUT_RD);
    if (!again)
        log_debug("http.cut", KV("why", why));
}

static int unread(const struct watch_conn *conn)
{
    int n = 0;

    return ioctl(conn->fd, FIONREAD, &n) < 0 ? 0 : n;
}

/*
 * libmicrohttpd 0.9.75 takes a short read for the last of what there is, and its epoll is edge
 * triggered: it misses the end of a stream that came together with its last bytes. This is an edge
 * again.
 */
static bool tell_end(const struct watch_conn *conn, const struct tcp_info *info)
{
    if (info->tcpi_state != CLOSE_WAIT || unread(conn) > 0)
        return false;
    shutdown(conn->fd, SHUT_RD);
    return true;
}

/* The first byte of a request starts the clock of its headers. Bytes that came before the watch
 * first looked at this pause are not told from the request before it; the next one is. */
static void judge_idle(const struct watch *watch, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = tcp_info(conn);
    int64_t bytes = (int64_t) info.tcpi_bytes_received;

    if (tell_end(conn, &info))
        return;
    if (conn->mark_bytes < 0)
        conn->mark_bytes = conn->fresh ? 0 : bytes;
    if (conn->begun == 0 && bytes > conn->mark_bytes)
        conn->begun = now;
    if (conn->begun ? now - conn->begun > watch->limits.header_ms
                    : now - conn->seen_since > watch->limits.idle_ms)
        cut(conn, conn->begun ? "headers" : "idle");
}

static void judge_headers(const struct watch *watch, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = tcp_info(conn);
    int64_t from = conn->begun ? conn->begun : conn->seen_since;

    if (!tell_end(conn, &info) && now - from > watch->limits.header_ms)
        cut(conn, "headers");
}

/* A client is slow only if the server has read all that it sent. */
static void judge_body(const struct watch *watch, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = tcp_info(conn);
    int64_t bytes = atomic_load_explicit(&conn->body_bytes, memory_order_relaxed), ms;

    if (tell_end(conn, &info))
        return;
    if (conn->mark_bytes < 0) {
        conn->mark_bytes = 0;
        conn->mark_ms = conn->seen_since;
    }
    ms = now - conn->mark_ms;
    if (ms < watch->limits.grace_ms)
        return;
    if (bytes - conn->mark_bytes < watch->limits.min_rate * ms / 1000 && unread(conn) == 0) {
        cut(conn, "body");
        return;
    }
    conn->mark_bytes = bytes;
    conn->mark_ms = now;
}

/* A client that reads nothing holds the answer, and a file, in the server. */
static void judge_send(const struct watch *watch, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = tcp_info(conn);
    int64_t acked = (int64_t) info.tcpi_bytes_acked;

    if (acked != conn->mark_bytes || (info.tcpi_unacked == 0 && info.tcpi_notsent_bytes == 0)) {
        conn->mark_bytes = acked;
        conn->mark_ms = now;
    }
    if (now - conn->mark_ms > watch->limits.idle_ms) {
        atomic_store(&conn->late, true);
        cut(conn, "send");
    }
}

static void judge(const struct watch *watch, struct watch_conn *conn, int64_t now)
{
    enum watch_phase phase =
        (enum watch_phase) atomic_load_explicit(&conn->phase, memory_order_acquire);
    int64_t since = atomic_load_explicit(&conn->since, memory_order_relaxed);

    if (conn->seen_phase != (int) phase || conn->seen_since != since) {
        if (phase != WATCH_HEADERS)
            conn->begun = 0;
        conn->seen_phase = (int) phase;
        conn->seen_since = since;
        conn->mark_bytes = -1;
        conn->mark_ms = now;
    }
    switch (phase) {
    case WATCH_IDLE:
        judge_idle(watch, conn, now);
        break;
    case WATCH_HEADERS:
        judge_headers(watch, conn, now);
        break;
    case WATCH_BODY:
        judge_body(watch, conn, now);
        break;
    case WATCH_SEND:
        judge_send(watch, conn, now);
        break;
    case WATCH_LINGER:
        if (now - since > LINGER_MS) {
            atomic_store(&conn->late, true);
            cut(conn, "linger");
        }
        break;
    case WATCH_BUSY:
        break;
    }
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
        cut(oldest, "room");
}

/* Takes what waits at the listener (under lock). Returns how long to leave the listener alone. */
static int64_t take(struct watch *watch)
{
    for (;;) {
        struct sockaddr_storage addr;
        socklen_t size = sizeof(addr);
        int fd;

        if (watch->n_conns >= watch->limits.max_connections) {
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
                judge(watch, conn, now);
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

void watch_close_listener(struct watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    if (watch->listener >= 0) {
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
