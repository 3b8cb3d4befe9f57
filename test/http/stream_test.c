/* Answers that are made while they are sent. */
#include <pthread.h>

#include "base/scope.h"
#include "fixture.h"
#include "tap.h"

/* One stream: it gives as many pieces as it is let. */
struct stream {
    struct http_request *req; /* NULL: done with */
    atomic_int allowed, given;
    atomic_bool over;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all streams' req */
static struct stream *_Atomic newest;
static sem_t opened, ended;

static ssize_t give(void *arg, char *out, size_t cap)
{
    struct stream *s = arg;

    if (s->given < s->allowed)
        return snprintf(out, cap, "piece %d;", ++s->given);
    return s->over ? -1 : 0;
}

static enum http_next open_stream(struct http_request *req, struct http_response *resp)
{
    static struct stream streams[8];
    static size_t n;
    struct stream *s = &streams[n++];

    s->req = req;
    req->state = s;
    newest = s;
    resp->source = (struct http_source){ give, s };
    sem_post(&opened);
    return HTTP_ANSWER;
}

static void close_stream(struct http_request *req)
{
    pthread_mutex_lock(&lock);
    ((struct stream *) req->state)->req = NULL;
    pthread_mutex_unlock(&lock);
    sem_post(&ended);
}

static const struct http_route routes[] = {
    { "GET", "/stream", NULL, NULL, open_stream, close_stream },
};

static struct http_server_config with_streams(void)
{
    struct http_server_config config = fixture_config;

    config.routes = routes;
    config.n_routes = COUNT(routes);
    config.idle_timeout_ms = 200; /* which streams outlive */
    return config;
}

static struct stream *begin(struct client *client, const char *request)
{
    client_puts(client, request);
    wait_for(&opened);
    return newest;
}

static void wake(struct stream *s)
{
    pthread_mutex_lock(&lock);
    if (s->req)
        http_stream_wake(s->req);
    pthread_mutex_unlock(&lock);
}

static void allow(struct stream *s, int pieces)
{
    s->allowed += pieces;
    wake(s);
}

static void finish(struct stream *s)
{
    s->over = true;
    wake(s);
}

static void check_stream(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    struct stream *s = begin(&client, GET("/stream"));

    ok(client_sees(&client, "Transfer-Encoding: chunked"),
       "a stream is sent with chunked encoding");
    ok(client_sees(&client, "\r\n\r\n"), "the head of a stream is sent before any content");
    ok(client_sees_nothing(&client, 400),
       "a stream without content stays open longer than an idle connection");
    allow(s, 1);
    ok(client_sees(&client, "piece 1;"), "content of a stream is sent when it is there");
    allow(s, 2);
    ok(client_sees(&client, "piece 2;") && client_sees(&client, "piece 3;"),
       "later content of a stream is sent");
    finish(s);
    ok(client_sees(&client, "0\r\n\r\n"), "the end of a stream is sent as the last chunk");
    ok(wait_for(&ended), "the owner of a stream is notified of its end");
    if (one_request_each())
        return;
    s = begin(&client, GET("/stream"));
    allow(s, 1);
    finish(s);
    ok(client_sees(&client, "piece 1;"), "the connection serves another request after a stream");
    wait_for(&ended);
}

static void check_head(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    begin(&client, "HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    answer = client_answer(&client, true);
    is_int(answer.status, 200, "HEAD of a stream is answered 200");
    ok(wait_for(&ended), "HEAD of a stream ends it without reading content");
}

static void check_left(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    struct stream *s = begin(&client, GET("/stream"));
    bool gone = false;

    ok(client_sees(&client, "\r\n\r\n"), "a client listens");
    client_close(&client);
    /* The watch sees it within its tick; then the next piece finds nobody. */
    for (int i = 0; i < 400 && !gone; i++) {
        struct timespec until;

        allow(s, 1);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 25000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        gone = sem_timedwait(&ended, &until) == 0;
    }
    ok(gone, "a stream whose client disconnected is ended");
    client = client_open(port);
}

static void *wake_much(void *arg)
{
    struct stream *s = arg;

    for (int i = 0; i < 2000; i++)
        allow(s, 1);
    return NULL;
}

static void check_race(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    struct stream *s = begin(&client, GET("/stream"));
    pthread_t threads[2];

    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_create(&threads[i], NULL, wake_much, s);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    ok(client_sees(&client, "piece 4000;"),
       "concurrent wakes from several threads lose no content");
    finish(s);
    ok(client_sees(&client, "0\r\n\r\n"), "the end is sent after concurrent wakes");
    wait_for(&ended);
}

static void *close_it(void *arg)
{
    (void) arg;
    close_server();
    return NULL;
}

static void check_close(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    struct stream *s = begin(&client, GET("/stream"));
    pthread_t thread;

    client_sees(&client, "\r\n\r\n");
    pthread_create(&thread, NULL, close_it, NULL);
    ok(client_sees_nothing(&client, 100), "a closing server waits for the owner of a stream");
    finish(s);
    ok(client_sees(&client, "0\r\n\r\n"),
       "a closing server sends the end that the stream's owner sets");
    pthread_join(thread, NULL);
    ok(client_sees_end(&client), "a closing server closes the connection after the stream's end");
}

int main(void)
{
    struct http_server_config config = with_streams();

    sem_init(&opened, 0, 0);
    sem_init(&ended, 0, 0);
    open_server(&config);
    check_stream();
    check_head();
    check_left();
    check_race();
    check_close();
    return done_testing();
}
