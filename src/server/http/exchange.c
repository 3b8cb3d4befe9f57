#include "server/http/exchange.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/num.h"
#include "server/http/connection.h"
#include "server/http/framing.h"
#include "server/http/internals.h"
#include "server/http/lingering.h"
#include "server/http/reply.h"
#include "server/http/router.h"
#include "server/http/target.h"
#include "server/http/watch.h"

/* An unwanted body is read and dropped up to this size, so that the connection can be kept. */
#define UNWANTED_BYTES (1 << 20)
/* So little of a refused body is read before the answer, for the connection to go on. */
#define SMALL_REST (64 << 10)
/* Limit of a query's parameters where libmicrohttpd sees them. */
#define PARAMETERS 32

enum stage {
    HEAD,   /* the first line is in */
    BODY,   /* begin has returned HTTP_CONTINUE */
    REST,   /* refused, and little of the body is left: it is dropped, then the response is sent */
    READY,  /* the response is ready and waits for libmicrohttpd */
    LATER,  /* end has returned HTTP_LATER */
    SENT,   /* libmicrohttpd has the response */
    LINGER, /* the client has the response; what it still sends is dropped */
};

enum { RUNNING, PARKED, RESUMED }; /* values of http_exchange.later and .stream */

struct http_exchange {
    struct http_request req;
    struct http_response resp;
    struct exchange_home *home;
    struct watch_conn *conn;
    struct MHD_Connection *mhd;

    enum stage stage;
    _Atomic int later;
    _Atomic int stream;
    struct http_source source;
    bool in_flight;
    struct target target;
    struct err target_err; /* code 0 and no message: none */
    const char *target_at;
    size_t target_len;
    struct framing framing;
    const struct http_route *route; /* NULL: there is none, or its `done` was called */
    int64_t body_in, body_out;
};

/* The lock is held to the end, so that the thread that waits for 0 may free the home. */
static void less(struct exchange_home *home, atomic_int *count)
{
    pthread_mutex_lock(&home->lock);
    if (atomic_fetch_sub(count, 1) == 1 && home->closing)
        pthread_cond_broadcast(&home->quiet);
    pthread_mutex_unlock(&home->lock);
}

/* The handler has ended with the request, whether it was answered or not. */
static void finish(struct http_exchange *ex)
{
    const struct http_route *route = ex->route;

    ex->route = NULL;
    if (route && route->done)
        route->done(&ex->req);
    if (ex->in_flight)
        less(ex->home, &ex->home->in_flight);
    ex->in_flight = false;
}

/* The last changes to the response before it is sent. */
static void seal(struct http_exchange *ex)
{
    char label[64];

    if (ex->resp.status == 0)
        ex->resp.status = 200;
    if (ex->home->config->finish)
        ex->home->config->finish(&ex->req, &ex->resp);
    snprintf(label, sizeof(label), "%d,%s", ex->resp.status, ex->req.route);
    metric_add(METRIC_HTTP_REQUESTS, label, 1);
    metric_observe(METRIC_HTTP_SECONDS, ex->req.route,
                   (double) (clock_mono_ms() - ex->req.begun_ms) / 1e3);
    if (strcmp(ex->req.method, "HEAD") != 0)
        ex->body_out = reply_length(&ex->resp);
}

/* Fills the response of a request that no handler sees, or sees any more. status 0: the error's
 * own. */
static void fill_problem(struct http_exchange *ex, const struct err *err, int status)
{
    http_response_clear(&ex->resp);
    ex->home->config->problem(&ex->req, err, &ex->resp);
    if (status)
        ex->resp.status = status;
}

/*
 * Suspends the connection until another thread resumes it. That may have happened before this call:
 * the second of the two wakes libmicrohttpd.
 */
static void park(struct http_exchange *ex, _Atomic int *state)
{
    struct MHD_Connection *mhd = ex->mhd;
    int running = RUNNING;

    pool_trim(&ex->conn->pool);
    atomic_fetch_add(&ex->home->parked, 1);
    MHD_suspend_connection(mhd);
    if (!atomic_compare_exchange_strong(state, &running, PARKED)) {
        less(ex->home, &ex->home->parked);
        MHD_resume_connection(mhd);
    }
}

static void unpark(struct http_exchange *ex, _Atomic int *state)
{
    struct exchange_home *home = ex->home;
    struct MHD_Connection *mhd = ex->mhd;

    /* If it was not parked yet, the exchange may be answered and freed after this line. */
    if (atomic_exchange(state, RESUMED) != PARKED)
        return;
    MHD_resume_connection(mhd);
    less(home, &home->parked);
}

/* MHD_ContentReaderCallback */
static ssize_t read_source(void *arg, uint64_t at, char *out, size_t cap)
{
    struct http_exchange *ex = arg;
    ssize_t n;

    (void) at;
    atomic_store(&ex->stream, RUNNING);
    n = ex->source.read(ex->source.arg, out, cap);
    if (n < 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (n == 0)
        park(ex, &ex->stream);
    ex->body_out += n;
    return n;
}

/* libmicrohttpd's own function, whose name is redefined here: see below. */
static enum MHD_Result queue_response(struct MHD_Connection *mhd, unsigned int status,
                                      struct MHD_Response *reply)
{
    enum MHD_Result (*next)(struct MHD_Connection *, unsigned int, struct MHD_Response *);

    *(void **) &next = dlsym(RTLD_NEXT, "MHD_queue_response"); /* as dlsym(3p) does it */
    return next ? next(mhd, status, reply) : MHD_NO;
}

static enum MHD_Result send_answer(struct http_exchange *ex)
{
    struct MHD_Response *reply;
    enum MHD_Result result;

    seal(ex);
    /* A chunked body is the last message of its connection. libmicrohttpd parses chunks less
     * strictly than RFC 9112 (section 7.1): a lenient proxy and a strict one might see different
     * ends of the body, and what follows it would be read as another client's request. */
    if (atomic_load(&ex->home->draining) || ex->framing.content_length < 0 || ex->framing.last)
        http_response_header(&ex->resp, "Connection", "%s", "close");
    ex->source = ex->resp.source;
    reply = reply_new(&ex->resp, read_source, ex);
    if (!reply)
        return MHD_NO;
    ex->stage = SENT;
    watch_enter(ex->conn, ex->source.read ? WATCH_STREAM : WATCH_SEND);
    result = queue_response(ex->mhd, (unsigned int) ex->resp.status, reply);
    MHD_destroy_response(reply);
    return result;
}

static void send_now(struct http_exchange *ex)
{
    seal(ex);
    reply_now(ex->conn->fd, connection_tls(ex->mhd), &ex->resp,
              strcmp(ex->req.method, "HEAD") == 0);
    http_response_clear(&ex->resp);
    metric_add(METRIC_HTTP_BYTES_OUT, NULL, (double) ex->body_out);
    ex->body_out = 0;
}

/* Answers a request that the watch has cut off because it was too slow. */
static void answer_late(void *arg)
{
    struct http_exchange *ex = arg;
    struct err err;

    if (!atomic_load(&ex->conn->late))
        return;
    if (ex->stage == REST) { /* it has a response already */
        send_now(ex);
        ex->stage = LINGER;
    }
    if (ex->stage != HEAD && ex->stage != BODY)
        return;
    err_set(&err, ERR_REQUEST_TIMEOUT, "the request took too long to arrive");
    fill_problem(ex, &err, 0);
    send_now(ex);
    ex->stage = LINGER;
}

/*
 * libmicrohttpd splits the query into arguments next, which are not needed: target_read has the
 * whole target. Some thousand of them use up its memory, and it never answers. The target is in its
 * own buffer, which it changes itself (INTERNALS_TARGET).
 */
static void hide_query(const char *target)
{
    char *query = strchr((char *) (uintptr_t) target, '?');

    if (query && query[1])
        query[1] = '\0';
}

static bool has_many_parameters(const char *target)
{
    size_t n = 0;

    for (const char *at = strchr(target, '?'); at; at = strchr(at + 1, '&'))
        n++;
    return n > PARAMETERS;
}

/* Answers at once: libmicrohttpd may not come to the handler any more. */
static void refuse_parameters(struct http_exchange *ex)
{
    struct err err;

    err_set(&err, ERR_INVALID_REQUEST, "the address has more than %d parameters", PARAMETERS);
    fill_problem(ex, &err, 0);
    send_now(ex);
    ex->stage = LINGER;
    watch_enter(ex->conn, WATCH_LINGER);
    watch_linger(ex->conn);
}

void *exchange_open(void *arg, const char *target, struct MHD_Connection *mhd)
{
    struct watch_conn *conn = connection_context(mhd);
    struct http_exchange *ex = conn ? calloc(1, sizeof(*ex)) : NULL;

    if (!ex)
        return NULL;
    ex->home = arg;
    ex->conn = conn;
    ex->mhd = mhd;
    ex->target_at = target;
    ex->target_len = strlen(target);
    target_read(&ex->target, target, &ex->target_err);
    ex->req = (struct http_request){
        .method = "",
        .path = "/",
        .route = "none",
        .server_data = ex->home->config->data,
        .exchange = ex,
        .peer = connection_peer(mhd),
        .secure = ex->home->secure,
        .begun_ms = clock_mono_ms(),
    };
    id_new(ex->req.id);
    ex->in_flight = true;
    atomic_fetch_add(&ex->home->in_flight, 1);
    conn->exchange = ex;
    conn->tap = (struct tls_tap){ conn->fd, answer_late, ex };
    if (ex->req.secure)
        tls_tap(connection_tls(mhd), &conn->tap);
    watch_enter(conn, WATCH_HEADERS);
    if (internals_use(INTERNALS_TARGET))
        hide_query(target);
    else if (has_many_parameters(target))
        refuse_parameters(ex);
    return ex;
}

/* Whether the rest of a refused body is read, so that the connection can go on. */
static bool is_nearly_over(const struct http_exchange *ex)
{
    return ex->framing.content_length >= 0 &&
           ex->framing.content_length - ex->body_in <= SMALL_REST;
}

/* Answers while the body is arriving. Closing at once would reset the connection, and the client
 * might never read the response. */
static enum MHD_Result refuse_body(struct http_exchange *ex, bool fatal)
{
    struct err err;

    if (ex->resp.has_file || ex->resp.shared || ex->resp.source.read) {
        err_set(&err, ERR_INTERNAL, "a refused upload can only be answered with a small body");
        fill_problem(ex, &err, 0);
    }
    if (!fatal && is_nearly_over(ex)) {
        ex->stage = REST;
        watch_enter(ex->conn, WATCH_BODY);
        return MHD_YES;
    }
    send_now(ex);
    finish(ex);
    ex->stage = LINGER;
    watch_enter(ex->conn, WATCH_LINGER);
    return MHD_YES;
}

/*
 * Answers before the body. A response that libmicrohttpd gets on its first call ends the
 * connection, so it gets it there only if that is wanted (`fatal`), or to prevent it from asking
 * for the body.
 */
static enum MHD_Result refuse(struct http_exchange *ex, bool fatal)
{
    if (ex->framing.has_body && !ex->framing.waits)
        return refuse_body(ex, fatal);
    if (ex->framing.has_body || fatal)
        return send_answer(ex);
    ex->stage = READY;
    return MHD_YES;
}

static int find_route(struct http_exchange *ex, char allow[static ROUTER_ALLOW], struct err *err)
{
    const struct http_server_config *config = ex->home->config;
    struct router_match match;

    router_find(config->routes, config->n_routes, ex->req.method, &ex->target, &match);
    memcpy(allow, match.allow, ROUTER_ALLOW);
    if (match.route) {
        ex->route = match.route;
        ex->req.route = match.route->pattern;
        memcpy(ex->req.args, match.args, sizeof(match.args));
        return 0;
    }
    if (*allow)
        return err_set(err, ERR_METHOD_NOT_ALLOWED, "ask for this address with %s", allow);
    return err_set(err, ERR_NOT_FOUND,
                   "there is no such address: GET /openapi.json lists all of them");
}

/* Called when all headers have arrived. */
static enum MHD_Result begin(struct http_exchange *ex, const char *method, const char *version)
{
    const struct framing_line line = { method, ex->target_at, version, ex->target_len };
    char allow[ROUTER_ALLOW];
    struct err err;

    ex->req.method = method;
    ex->req.old = strcmp(version, "HTTP/1.0") == 0;
    if (framing_check(ex->mhd, &line, &ex->framing, &err) < 0) {
        fill_problem(ex, &err, ex->framing.too_long ? 431 : 0);
        return refuse(ex, true);
    }
    pool_find(&ex->conn->pool, method, ex->framing.header_size);
    ex->req.content_length = ex->framing.content_length;
    if (*ex->target_err.msg) {
        fill_problem(ex, &ex->target_err, 0);
        return refuse(ex, false);
    }
    ex->req.path = ex->target.path;
    if (find_route(ex, allow, &err) < 0) {
        fill_problem(ex, &err, 0);
        if (*allow)
            http_response_header(&ex->resp, "Allow", "%s", allow);
        return refuse(ex, false);
    }
    if (ex->route->query && target_query_check(&ex->target, ex->route->query, &err) < 0) {
        ex->route = NULL; /* its `done` is for requests that `begin` has seen */
        fill_problem(ex, &err, 0);
        return refuse(ex, false);
    }
    watch_enter(ex->conn, WATCH_BUSY);
    if (ex->route->begin && ex->route->begin(&ex->req, &ex->resp) == HTTP_ANSWER)
        return refuse(ex, false);
    ex->stage = BODY;
    if (ex->framing.has_body)
        watch_enter(ex->conn, WATCH_BODY);
    return MHD_YES;
}

static enum MHD_Result receive_body(struct http_exchange *ex, const char *data, size_t n)
{
    struct err err;

    ex->body_in += (int64_t) n;
    atomic_store_explicit(&ex->conn->body_bytes, ex->body_in, memory_order_relaxed);
    if (ex->route->body)
        return ex->route->body(&ex->req, data, n, &ex->resp) == HTTP_ANSWER ? refuse_body(ex, false)
                                                                            : MHD_YES;
    if (ex->body_in <= UNWANTED_BYTES)
        return MHD_YES;
    err_set(&err, ERR_FILE_TOO_LARGE, "this address takes no body");
    fill_problem(ex, &err, 0);
    return refuse_body(ex, false);
}

struct http_response *http_later(struct http_request *req)
{
    return req->inside ? req->inside->later(req) : &req->exchange->resp;
}

void http_resume(struct http_request *req)
{
    if (req->inside)
        req->inside->resume(req);
    else
        unpark(req->exchange, &req->exchange->later);
}

void http_stream_wake(struct http_request *req)
{
    if (!req->inside) /* a stream has no use there: its request is answered as a whole */
        unpark(req->exchange, &req->exchange->stream);
}

/* The connection of a request that waits is suspended: libmicrohttpd does not close it. */
bool http_left(const struct http_request *req)
{
    struct tcp_info info;

    if (req->inside)
        return false;
    info = connection_tcp(req->exchange->conn->fd);
    return info.tcpi_state && !connection_established(&info);
}

static enum MHD_Result end(struct http_exchange *ex)
{
    watch_enter(ex->conn, WATCH_BUSY);
    pool_find(&ex->conn->pool, ex->req.method, ex->framing.header_size + (size_t) ex->body_in);
    if (!ex->route->end || ex->route->end(&ex->req, &ex->resp) != HTTP_LATER)
        return send_answer(ex);
    ex->stage = LATER;
    park(ex, &ex->later);
    return MHD_YES;
}

enum MHD_Result exchange_step(void *arg, struct MHD_Connection *mhd, const char *path,
                              const char *method, const char *version, const char *data, size_t *n,
                              void **exchange)
{
    struct http_exchange *ex = *exchange;
    size_t taken = *n;

    (void) arg;
    (void) mhd;
    (void) path;
    if (!ex)
        return MHD_NO;
    *n = 0;
    switch (ex->stage) {
    case HEAD:
        return begin(ex, method, version);
    case BODY:
        return taken ? receive_body(ex, data, taken) : end(ex);
    case REST:
        ex->body_in += (int64_t) taken;
        atomic_store_explicit(&ex->conn->body_bytes, ex->body_in, memory_order_relaxed);
        return taken ? MHD_YES : send_answer(ex);
    case READY:
        return send_answer(ex);
    case LATER:
        return atomic_load(&ex->later) == RESUMED ? send_answer(ex) : MHD_YES;
    case LINGER:
        ex->body_in += (int64_t) taken;
        return taken && ex->body_in <= LINGERING_BYTES ? MHD_YES : MHD_NO;
    case SENT:
        break;
    }
    return MHD_YES;
}

void exchange_close(void *arg, struct MHD_Connection *mhd, void **exchange,
                    enum MHD_RequestTerminationCode why)
{
    struct http_exchange *ex = *exchange;

    (void) arg;
    (void) mhd;
    if (!ex)
        return;
    *exchange = NULL;
    ex->conn->exchange = NULL;
    ex->conn->tap.ended = NULL;
    answer_late(ex);
    finish(ex);
    metric_add(METRIC_HTTP_BYTES_IN, NULL, (double) ex->body_in);
    if (why == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        metric_add(METRIC_HTTP_BYTES_OUT, NULL, (double) ex->body_out);
    pool_rest(&ex->conn->pool);
    watch_enter(ex->conn, WATCH_IDLE);
    http_response_clear(&ex->resp);
    framing_free(&ex->framing);
    target_free(&ex->target);
    free(ex);
}

static bool has_bad_length(struct MHD_Connection *mhd)
{
    const char *length = MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, "Content-Length");
    int64_t n;

    return length && !num_parse_i64(length, strlen(length), 0, INT64_MAX, &n);
}

/* What libmicrohttpd could not read, as far as it is known. `opened`: not even the first line. */
static int set_refusal(const struct http_exchange *ex, bool opened, unsigned int status,
                       struct err *err)
{
    if (status == MHD_HTTP_HTTP_VERSION_NOT_SUPPORTED)
        return err_set(err, ERR_INVALID_REQUEST, "the version of HTTP must be 1.1 or 1.0");
    if (status == MHD_HTTP_URI_TOO_LONG)
        return err_set(err, ERR_INVALID_REQUEST, "the request's first line is too long");
    if (status == MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE)
        return err_set(err, ERR_INVALID_REQUEST, "the request's headers are too long");
    if (status >= 500)
        return err_set(err, ERR_INTERNAL, "the request could not be read");
    if (opened)
        return err_set(err, ERR_INVALID_REQUEST, "the request's first line is malformed");
    if (ex->stage == BODY)
        return err_set(err, ERR_INVALID_REQUEST, "a chunk of the request's body is malformed");
    if (status == MHD_HTTP_CONTENT_TOO_LARGE)
        return err_set(err, ERR_FILE_TOO_LARGE, "the request's Content-Length is too large");
    return err_set(err, ERR_INVALID_REQUEST,
                   has_bad_length(ex->mhd) ? "the request's Content-Length is not a number"
                                           : "the request's header section is malformed");
}

/*
 * Answers a request that libmicrohttpd refuses before or while it is read. Its own answer, which
 * has another form (and in 0.9.75 its header section twice), finds the socket's end and is lost.
 */
static void refuse_unread(struct watch_conn *conn, struct MHD_Connection *mhd, unsigned int status)
{
    void *opened = NULL;
    struct http_exchange *ex = conn->exchange;
    struct err err;

    if (!ex) /* the first line was not readable */
        ex = opened = exchange_open(watch_home(conn->watch), "/", mhd);
    if (!ex || ex->stage == SENT || ex->stage == LATER)
        return;
    if (ex->stage != LINGER) {
        if (ex->stage == HEAD || ex->stage == BODY) {
            set_refusal(ex, opened != NULL, status, &err);
            fill_problem(ex, &err, (int) status);
        }
        send_now(ex);
        ex->stage = LINGER;
    }
    watch_enter(conn, WATCH_LINGER);
    watch_linger(conn);
    if (opened)
        exchange_close(NULL, mhd, &opened, MHD_REQUEST_TERMINATED_WITH_ERROR);
}

/*
 * Takes the place of libmicrohttpd's function of that name (the dynamic linker finds the program's
 * first), which the library calls for each answer that it makes itself: nothing else tells of
 * these. Where the library was linked with -Bsymbolic-functions its own pages go out as before.
 */
enum MHD_Result MHD_queue_response(struct MHD_Connection *mhd, unsigned int status,
                                   struct MHD_Response *reply)
{
    struct watch_conn *conn = connection_context(mhd);

    if (conn && internals_use(INTERNALS_REFUSALS))
        refuse_unread(conn, mhd, status);
    return queue_response(mhd, status, reply);
}

const char *http_header(const struct http_request *req, const char *name)
{
    if (req->inside)
        return req->inside->header(req, name);
    return framing_header(req->exchange->mhd, &req->exchange->framing, name);
}

bool http_header_list(const struct http_request *req, const char *name, struct buf *out)
{
    if (req->inside)
        return req->inside->header_list(req, name, out);
    return framing_list(req->exchange->mhd, name, out) > 0;
}

const char *http_query(const struct http_request *req, const char *name)
{
    return req->inside ? req->inside->query(req, name) : target_query(&req->exchange->target, name);
}
