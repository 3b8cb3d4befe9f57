#include "server/http/deadline.h"

#include <sys/socket.h>

#include "base/clock.h"
#include "base/system/log.h"
#include "server/http/connection.h"
#include "server/http/lingering.h"

void deadline_cut(struct watch_conn *conn, const char *why)
{
    int64_t now = clock_mono_ms();

    if (!atomic_exchange(&conn->late, true)) {
        conn->cut_ms = now;
        log_debug("http.cut", KV("why", why));
    }
    /* Each time it makes another edge for a library that missed the end (see send_timeout). */
    shutdown(conn->fd, now - conn->cut_ms < DEADLINE_ANSWER_MS ? SHUT_RD : SHUT_RDWR);
}

/*
 * libmicrohttpd 0.9.75 treats a short read as the end of the available data, and its epoll is edge
 * triggered: it misses the end of a stream that came together with its last bytes. This makes
 * another edge.
 */
static bool send_timeout(const struct watch_conn *conn, const struct tcp_info *info)
{
    if (!connection_ended(info) || connection_unread(conn->fd) > 0)
        return false;
    shutdown(conn->fd, SHUT_RD);
    return true;
}

/* The first byte of a request starts the deadline of its headers. Bytes that came before the
 * watch first looked at this pause cannot be told from the previous request's; the next
 * request's can. */
static void check_idle(const struct watch_limits *limits, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = connection_tcp(conn->fd);
    int64_t bytes = (int64_t) info.tcpi_bytes_received;

    /* A connection that was told to close and has not: libmicrohttpd may have missed it. */
    if (conn->late) {
        deadline_cut(conn, "late");
        return;
    }
    if (send_timeout(conn, &info))
        return;
    if (conn->mark_bytes < 0)
        conn->mark_bytes = conn->fresh ? 0 : bytes;
    if (conn->begun == 0 && bytes > conn->mark_bytes)
        conn->begun = now;
    if (conn->begun ? now - conn->begun > limits->header_ms
                    : now - conn->seen_since > limits->idle_ms)
        deadline_cut(conn, conn->begun ? "headers" : "idle");
}

static void check_headers(const struct watch_limits *limits, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = connection_tcp(conn->fd);
    int64_t from = conn->begun ? conn->begun : conn->seen_since;

    if (!send_timeout(conn, &info) && now - from > limits->header_ms)
        deadline_cut(conn, "headers");
}

/* A client is slow only if the server has read all that it sent. */
static void check_body(const struct watch_limits *limits, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = connection_tcp(conn->fd);
    int64_t bytes = atomic_load_explicit(&conn->body_bytes, memory_order_relaxed), ms;

    if (send_timeout(conn, &info))
        return;
    if (conn->mark_bytes < 0) {
        conn->mark_bytes = 0;
        conn->mark_ms = conn->seen_since;
    }
    ms = now - conn->mark_ms;
    if (ms < limits->grace_ms)
        return;
    if (bytes - conn->mark_bytes < limits->min_rate * ms / 1000 &&
        connection_unread(conn->fd) == 0) {
        deadline_cut(conn, "body");
        return;
    }
    conn->mark_bytes = bytes;
    conn->mark_ms = now;
}

/*
 * A client that hardly reads keeps the response, and a file, in the server. It gets idle_ms,
 * because many connections stand still for a while; over that time `rate` bytes a second, and at
 * least one byte, must have arrived, unless nothing was left to send.
 */
static void check_send(const struct watch_limits *limits, struct watch_conn *conn, int64_t rate,
                       int64_t now)
{
    const struct tcp_info info = connection_tcp(conn->fd);
    int64_t acked = (int64_t) info.tcpi_bytes_acked, ms = now - conn->mark_ms;
    bool waits = info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0;

    /* One that was cut may still get its answer, but does not keep its place by not reading it. */
    if (atomic_load(&conn->late) && conn->cut_ms > 0) {
        deadline_cut(conn, "late");
        return;
    }
    if (waits && conn->mark_bytes >= 0) {
        if (ms <= limits->idle_ms)
            return;
        if (acked == conn->mark_bytes || acked - conn->mark_bytes < rate * ms / 1000) {
            atomic_store(&conn->late, true);
            deadline_cut(conn, "send");
            return;
        }
    }
    conn->mark_bytes = acked;
    conn->mark_ms = now;
}

/* A client that has left such a response would only be noticed at the second send from now:
 * libmicrohttpd does not read while it has nothing to send. This makes it the first one. */
static void check_stream(const struct watch_limits *limits, struct watch_conn *conn, int64_t now)
{
    const struct tcp_info info = connection_tcp(conn->fd);

    if (connection_ended(&info) && !atomic_load(&conn->late)) {
        atomic_store(&conn->late, true);
        deadline_cut(conn, "left");
        return;
    }
    check_send(limits, conn, 0, now);
}

void deadline_enforce(const struct watch_limits *limits, struct watch_conn *conn, int64_t now)
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
        check_idle(limits, conn, now);
        break;
    case WATCH_HEADERS:
        check_headers(limits, conn, now);
        break;
    case WATCH_BODY:
        check_body(limits, conn, now);
        break;
    case WATCH_SEND:
        check_send(limits, conn, limits->min_rate, now);
        break;
    case WATCH_STREAM:
        check_stream(limits, conn, now);
        break;
    case WATCH_LINGER:
        if (now - since > LINGERING_MS) {
            atomic_store(&conn->late, true);
            deadline_cut(conn, "linger");
        }
        break;
    case WATCH_BUSY:
        break;
    }
}
