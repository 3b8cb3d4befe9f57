#include "fixture.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scope.h"

struct fixture_seen seen;
struct http_server *server;
uint16_t port;

bool wait_for(sem_t *event)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    return sem_timedwait(event, &until) == 0;
}

bool one_request_each(void)
{
    return !internals_use(INTERNALS_LINES) && !internals_strict();
}

static enum http_next say(struct http_response *resp, int status, const char *text)
{
    resp->status = status;
    buf_puts(&resp->body, text);
    return HTTP_ANSWER;
}

static enum http_next hello(struct http_request *req, struct http_response *resp)
{
    (void) req;
    http_response_header(resp, "Content-Type", "text/plain");
    return say(resp, 200, "hello");
}

static enum http_next show_args(struct http_request *req, struct http_response *resp)
{
    const char *q = http_query(req, "q"), *header = http_header(req, "x-test");

    buf_printf(&resp->body, "%s|%s|%s|%s", req->args[0], req->args[1] ? req->args[1] : "-",
               q ? q : "-", header ? header : "-");
    return HTTP_ANSWER;
}

static enum http_next upload_begin(struct http_request *req, struct http_response *resp)
{
    (void) resp;
    seen.begun++;
    req->state = calloc(1, 16);
    seen.bytes = 0;
    return HTTP_CONTINUE;
}

static enum http_next upload_body(struct http_request *req, const void *data, size_t n,
                                  struct http_response *resp)
{
    (void) req;
    seen.bytes += (int64_t) n;
    if (memmem(data, n, "refuse me", 9))
        return say(resp, 400, "refused in the body");
    return HTTP_CONTINUE;
}

static enum http_next upload_end(struct http_request *req, struct http_response *resp)
{
    (void) req;
    resp->status = 202;
    buf_printf(&resp->body, "%lld", (long long) seen.bytes);
    return HTTP_ANSWER;
}

static void upload_done(struct http_request *req)
{
    free(req->state);
    req->state = NULL;
    seen.done++;
    sem_post(&seen.done_event);
}

static enum http_next refuse_begin(struct http_request *req, struct http_response *resp)
{
    seen.begun++;
    req->state = calloc(1, 16);
    return say(resp, 401, "no key");
}

static enum http_next later_end(struct http_request *req, struct http_response *resp)
{
    (void) resp;
    seen.later = req;
    sem_post(&seen.later_event);
    return HTTP_LATER;
}

void *fixture_resume(void *arg)
{
    struct http_request *req = arg;

    say(http_later(req), 200, "at last");
    http_resume(req);
    return NULL;
}

/* Resumed before `end` has returned: the race that must not be lost. */
static enum http_next early_end(struct http_request *req, struct http_response *resp)
{
    pthread_t thread;

    (void) resp;
    pthread_create(&thread, NULL, fixture_resume, req);
    pthread_join(thread, NULL);
    return HTTP_LATER;
}

/* Either may come first. */
static enum http_next race_end(struct http_request *req, struct http_response *resp)
{
    pthread_t thread;

    (void) resp;
    pthread_create(&thread, NULL, fixture_resume, req);
    pthread_detach(thread);
    return HTTP_LATER;
}

static enum http_next file_end(struct http_request *req, struct http_response *resp)
{
    int fd = memfd_create("file", MFD_CLOEXEC);

    (void) req;
    if (fd < 0 || write(fd, "0123456789", 10) != 10)
        return say(resp, 500, "memfd");
    http_response_file(resp, fd, 2, 5);
    return HTTP_ANSWER;
}

static enum http_next large_end(struct http_request *req, struct http_response *resp)
{
    int fd = memfd_create("large", MFD_CLOEXEC);

    (void) req;
    if (fd < 0 || ftruncate(fd, FIXTURE_LARGE) < 0)
        return say(resp, 500, "memfd");
    http_response_file(resp, fd, 0, FIXTURE_LARGE);
    return HTTP_ANSWER;
}

static const struct http_route routes[] = {
    { "GET", "/hello", NULL, NULL, hello, NULL },
    { "POST", "/hello", NULL, NULL, hello, NULL },
    { "GET", "/jobs/{id}", NULL, NULL, show_args, NULL },
    { "DELETE", "/jobs/{id}", NULL, NULL, show_args, NULL },
    { "GET", "/files/{job}/{name...}", NULL, NULL, show_args, NULL },
    { "POST", "/upload", upload_begin, upload_body, upload_end, upload_done },
    { "POST", "/refuse", refuse_begin, upload_body, upload_end, upload_done },
    { "GET", "/refuse", refuse_begin, NULL, hello, upload_done },
    { "GET", "/later", upload_begin, NULL, later_end, upload_done },
    { "GET", "/early", upload_begin, NULL, early_end, upload_done },
    { "GET", "/race", upload_begin, NULL, race_end, upload_done },
    { "GET", "/file", NULL, NULL, file_end, NULL },
    { "GET", "/large", upload_begin, NULL, large_end, upload_done },
};

static void problem(struct http_request *req, const struct err *err, struct http_response *resp)
{
    int hold_ms = atomic_exchange(&seen.hold_ms, 0);

    (void) req;
    if (hold_ms) {
        sem_post(&seen.later_event);
        poll(NULL, 0, hold_ms);
    }
    resp->status = err_status(err->code);
    buf_printf(&resp->body, "%s: %s", err_name(err->code), err->msg);
}

static void finish(struct http_request *req, struct http_response *resp)
{
    http_response_header(resp, "X-Request-Id", "%s", req->id);
}

const struct http_server_config fixture_config = {
    .address = "127.0.0.1",
    .routes = routes,
    .n_routes = COUNT(routes),
    .problem = problem,
    .finish = finish,
    .threads = 2,
    .max_connections = 200,
    .idle_timeout_ms = 60000,
    .header_timeout_ms = 60000,
    .min_body_rate = 1,
    .body_grace_ms = 60000,
};

void open_server(const struct http_server_config *config)
{
    static bool ready;
    struct err err;

    seen.begun = seen.done = 0;
    if (!ready) {
        sem_init(&seen.done_event, 0, 0);
        sem_init(&seen.later_event, 0, 0);
        ready = true;
    }
    while (sem_trywait(&seen.done_event) == 0 || sem_trywait(&seen.later_event) == 0)
        ;
    server = http_server_open(config, &err);
    if (!server) {
        printf("Bail out! %s\n", err.msg);
        exit(1);
    }
    port = http_server_port(server);
}

void close_server(void)
{
    http_server_close(server, 5000);
}

struct answer ask(const char *request)
{
    AUTO_CLIENT struct client client = client_open(port);

    client_puts(&client, request);
    return client_answer(&client, strncmp(request, "HEAD", 4) == 0);
}
