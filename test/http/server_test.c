/* A server on a free port of the loopback, asked by hand-written requests. */
#include "http/server.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "client.h"
#include "tap.h"

/* What handlers did, for the tests to look at. */
static struct {
    atomic_int begun, done;
    _Atomic int64_t bytes;
    sem_t done_event;  /* posted by each done */
    sem_t later_event; /* posted once a request has answered HTTP_LATER or is about to */
    struct http_request *_Atomic later;
} seen;

static struct http_server *server;
static uint16_t port;

static bool wait_for(sem_t *event)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    return sem_timedwait(event, &until) == 0;
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

static void *resume(void *arg)
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
    pthread_create(&thread, NULL, resume, req);
    pthread_join(thread, NULL);
    return HTTP_LATER;
}

/* Either may come first. */
static enum http_next race_end(struct http_request *req, struct http_response *resp)
{
    pthread_t thread;

    (void) resp;
    pthread_create(&thread, NULL, resume, req);
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

/* More than the sockets' buffers take. */
#define LARGE (64 << 20)

static enum http_next large_end(struct http_request *req, struct http_response *resp)
{
    int fd = memfd_create("large", MFD_CLOEXEC);

    (void) req;
    if (fd < 0 || ftruncate(fd, LARGE) < 0)
        return say(resp, 500, "memfd");
    http_response_file(resp, fd, 0, LARGE);
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
    (void) req;
    resp->status = err_status(err->code);
    buf_printf(&resp->body, "%s: %s", err_name(err->code), err->msg);
}

static void finish(struct http_request *req, struct http_response *resp)
{
    http_response_header(resp, "X-Request-Id", "%s", req->id);
}

static const struct http_server_config base_config = {
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

static void open_server(const struct http_server_config *config)
{
    struct err err;

    seen.begun = seen.done = 0;
    while (sem_trywait(&seen.done_event) == 0 || sem_trywait(&seen.later_event) == 0)
        ;
    server = http_server_open(config, &err);
    if (!server) {
        printf("Bail out! %s\n", err.msg);
        exit(1);
    }
    port = http_server_port(server);
}

static void close_server(void)
{
    http_server_close(server, 5000);
    is_int(seen.done, seen.begun, "every request that began was done with once");
}

/* One request on a connection of its own. */
static struct answer ask(const char *request)
{
    AUTO_CLIENT struct client client = client_open(port);

    client_puts(&client, request);
    return client_answer(&client, strncmp(request, "HEAD", 4) == 0);
}

struct exchange {
    const char *sentence, *request;
    int status;
    const char *body; /* NULL: any */
};

#define GET(path) "GET " path " HTTP/1.1\r\nHost: h\r\n\r\n"

static const struct exchange exchanges[] = {
    { "a GET is answered", GET("/hello"), 200, "hello" },
    { "a route of another method is another route", "POST /hello HTTP/1.1\r\nHost: h\r\n\r\n", 200,
      "hello" },
    { "HTTP/1.0 needs no Host", "GET /hello HTTP/1.0\r\n\r\n", 200, "hello" },
    { "an absolute address is taken", "GET http://h/hello HTTP/1.1\r\nHost: h\r\n\r\n", 200,
      "hello" },
    { "an unknown path is not found", GET("/nothing"), 404,
      "not_found: there is nothing at this address" },
    { "an absolute address without a path is the root", GET("http://h"), 404, NULL },
    { "a path with more behind it is not found", GET("/hello/"), 404, NULL },
    { "a path part is passed on", GET("/jobs/7"), 200, "7|-|-|-" },
    { "an empty path part does not fit", GET("/jobs/"), 404, NULL },
    { "a path part is decoded", GET("/jobs/%c3%A9%20a+b"), 200, "\xc3\xa9 a+b|-|-|-" },
    { "an escaped slash does not part a path", GET("/jobs/a%2Fb"), 200, "a/b|-|-|-" },
    { "a literal part may come escaped", GET("/%6aobs/7"), 200, "7|-|-|-" },
    { "the rest of a path is taken whole", GET("/files/7/a/b%20c"), 200, "7|a/b c|-|-" },
    { "a query is decoded", GET("/jobs/7?x=1&q=a+b%26%3D"), 200, "7|-|a b&=|-" },
    { "a query parameter may have no value", GET("/jobs/7?&q&x"), 200, "7|-||-" },
    { "the first of two parameters counts", GET("/jobs/7?q=1&q=2"), 200, "7|-|1|-" },
    { "a header's name has no case, and blanks around its value do not count",
      "GET /jobs/7 HTTP/1.1\r\nHost: h\r\nX-TEST: \t v w \t \r\n\r\n", 200, "7|-|-|v w" },
    { "an escaped NUL in the path is refused", GET("/jobs/a%00b"), 400,
      "invalid_request: the address holds an escaped NUL" },
    { "a malformed escape in the path is refused", GET("/jobs/a%2"), 400,
      "invalid_request: the address holds a malformed escape" },
    { "a malformed escape in the query is refused", GET("/jobs/a?q=%zz"), 400, NULL },
    { "an escaped NUL in the query is refused", GET("/jobs/a?q=%00"), 400, NULL },
    { "a path that does not begin with a slash is refused", GET("jobs/a"), 400, NULL },
    { "a fragment is refused", GET("/hello#a"), 400, NULL },
    { "a body for a route without one is read and thrown away",
      "POST /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd", 200, "hello" },
    { "a chunked body is put together",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "4\r\nabcd\r\n3\r\nefg\r\n0\r\n\r\n",
      202, "7" },
    { "a file is sent from its offset", GET("/file"), 200, "23456" },
    { "an answer from another thread is sent", GET("/race"), 200, "at last" },
    { "an answer that came before it was waited for is sent", GET("/early"), 200, "at last" },

    /* what two servers in a row could understand differently */
    { "no Host is refused", "GET /hello HTTP/1.1\r\n\r\n", 400,
      "invalid_request: the request must have one Host header" },
    { "two Hosts are refused", "GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, NULL },
    { "two Hosts are refused of HTTP/1.0 too", "GET /hello HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
      400, NULL },
    { "a Host that is none is refused", "GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, NULL },
    { "a Content-Length with a Transfer-Encoding is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
      "0\r\n\r\n",
      400, "invalid_request: the request has a Content-Length and a Transfer-Encoding" },
    { "the same in the other order is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n"
      "0\r\n\r\n",
      400, NULL },
    { "two Content-Lengths are refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
      400, "invalid_request: the request has two Content-Length headers" },
    { "a Content-Length that is a list is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 4, 4\r\n\r\nabcd", 400, NULL },
    { "a negative Content-Length is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: -4\r\n\r\nabcd", 400, NULL },
    { "a Content-Length with a sign is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: +4\r\n\r\nabcd", 400, NULL },
    { "a hexadecimal Content-Length is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 0x4\r\n\r\nabcd", 400, NULL },
    { "an empty Content-Length is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\nabcd", 400, NULL },
    { "a Content-Length of 2^64 is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551616\r\n\r\nabcd", 413,
      NULL },
    { "a Content-Length of 2^63 is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 9223372036854775808\r\n\r\nabcd", 400,
      NULL },
    { "another Transfer-Encoding is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400,
      NULL },
    { "a Transfer-Encoding of identity is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\n\r\n", 400, NULL },
    { "two Transfer-Encodings are refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
      "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
      400, NULL },
    { "a Transfer-Encoding of HTTP/1.0 is refused",
      "POST /upload HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, NULL },
    { "a blank before a header's colon is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length : 4\r\n\r\nabcd", 400, NULL },
    { "a folded header is refused",
      "GET /hello HTTP/1.1\r\nHost: h\r\nX-A: 1\r\n Content-Length: 4\r\n\r\n", 400, NULL },
    { "a folded header at the end is refused",
      "GET /hello HTTP/1.1\r\nHost: h\r\nX-A: 1\r\n 2\r\n\r\n", 400, NULL },
    { "a header line that ends in LF alone is refused",
      "GET /hello HTTP/1.1\r\nHost: h\nX-A: 1\r\n\r\n", 400, NULL },
    { "a last header line that ends in LF alone is refused", "GET /hello HTTP/1.1\r\nHost: h\n\r\n",
      400, NULL },
    { "a header section that ends in LF alone is refused", "GET /hello HTTP/1.1\r\nHost: h\r\n\n",
      400, NULL },
    { "a first line that ends in LF alone is refused", "GET /hello HTTP/1.1\nHost: h\r\n\r\n", 400,
      NULL },
    { "a lone CR in a header is refused", "GET /hello HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400,
      NULL },
    { "a first line with two blanks is refused", "GET  /hello HTTP/1.1\r\nHost: h\r\n\r\n", 400,
      NULL },
    { "a blank in the address is refused", "GET /hello you HTTP/1.1\r\nHost: h\r\n\r\n", 400,
      NULL },
    { "a method that is no token is refused", "GE(T /hello HTTP/1.1\r\nHost: h\r\n\r\n", 400,
      NULL },
    { "a broken chunk is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400, NULL },
};

static void check_exchanges(void)
{
    open_server(&base_config);
    for (size_t i = 0; i < COUNT(exchanges); i++) {
        AUTO_ANSWER struct answer answer = ask(exchanges[i].request);

        is_int(answer.status, exchanges[i].status, "%s", exchanges[i].sentence);
        if (exchanges[i].body)
            is_str(answer.body, exchanges[i].body, "%s: the body", exchanges[i].sentence);
    }
    close_server();
}

/* Requests with NULs, which are no C strings. */
static void check_nuls(void)
{
    static const char in_header[] = "GET /hello HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n";
    static const char in_line[] = "GET /hello\0/x HTTP/1.1\r\nHost: h\r\n\r\n";
    static const char hidden[] = "GET /hello HTTP/1.1\r\nHost: h\r\n\0X: b\r\n\r\n";
    static const struct {
        const char *sentence, *text;
        size_t n;
    } cases[] = {
        { "a NUL in a header is refused", in_header, sizeof(in_header) - 1 },
        { "a NUL in the first line is refused", in_line, sizeof(in_line) - 1 },
        { "a header line that begins with a NUL is refused", hidden, sizeof(hidden) - 1 },
    };

    open_server(&base_config);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_send(&client, cases[i].text, cases[i].n);
        answer = client_answer(&client, false);
        is_int(answer.status, 400, "%s", cases[i].sentence);
        ok(client_sees_end(&client), "%s, and the connection ends", cases[i].sentence);
    }
    close_server();
}

static void check_answers(void)
{
    AUTO_ANSWER struct answer head = { 0 }, get = { 0 }, post = { 0 }, put = { 0 };

    open_server(&base_config);
    get = ask(GET("/hello"));
    is_str(answer_header(&get, "Content-Type"), "text/plain", "a handler's header is sent");
    ok(answer_header(&get, "X-Request-Id"), "every answer goes through finish");
    ok(answer_header(&get, "Date"), "an answer has a Date");
    head = ask("HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    is_int(head.status, 200, "HEAD is served by a GET route");
    is_str(answer_header(&head, "Content-Length"), "5", "with the length of what GET would send");
    put = ask("PUT /jobs/1 HTTP/1.1\r\nHost: h\r\n\r\n");
    is_int(put.status, 405, "a method that no route has is not allowed");
    is_str(answer_header(&put, "Allow"), "GET, HEAD, DELETE", "and Allow says which are");
    ok(answer_header(&put, "X-Request-Id"), "refusals go through finish too");
    post = ask("HEAD /upload HTTP/1.1\r\nHost: h\r\n\r\n");
    is_int(post.status, 405, "HEAD of a POST route is not allowed");
    is_str(answer_header(&post, "Allow"), "POST", "and Allow does not offer it");
    close_server();
}

static void check_keep_alive(void)
{
    struct client client;
    int good = 0;

    open_server(&base_config);
    client = client_open(port);
    for (int i = 0; i < 100; i++) {
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, i % 3 == 1 ? GET("/nothing") : i % 3 ? GET("/race") : GET("/refuse"));
        answer = client_answer(&client, false);
        good += answer.status == (i % 3 == 1 ? 404 : i % 3 ? 200 : 401);
    }
    is_int(good, 100, "100 requests are answered on one connection");
    good = 0;
    for (int i = 0; i < 50; i++)
        client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                             "HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    for (int i = 0; i < 50; i++) {
        AUTO_ANSWER struct answer post = client_answer(&client, false);
        AUTO_ANSWER struct answer head = client_answer(&client, true);

        good += post.status == 202 && strcmp(post.body, "3") == 0;
        good += head.status == 200;
    }
    is_int(good, 100, "100 pipelined requests are answered in their order");
    client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    answer_free(&(struct answer[]){ client_answer(&client, false) }[0]);
    ok(client_sees_end(&client), "Connection: close ends the connection");
    client_close(&client);
    close_server();
}

static void check_large_headers(void)
{
    AUTO_FREE char *filler = malloc(40001);

    open_server(&base_config);
    for (size_t n = 1000; n <= 40000; n += n < 9000 ? 500 : 31000) {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        memset(filler, 'a', n);
        filler[n] = '\0';
        client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\nX-Filler: ");
        client_puts(&client, filler);
        client_puts(&client, "\r\n\r\n");
        answer = client_answer(&client, false);
        if (n == 6500 || n == 7500 || n == 40000 || (answer.status != 200 && answer.status != 431))
            is_int(answer.status, n <= 6500 ? 200 : 431, "headers of %zu bytes", n);
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\n");
        for (int i = 0; i < 90; i++)
            client_puts(&client, "X: 1\r\n");
        client_puts(&client, "\r\n");
        answer = client_answer(&client, false);
        is_int(answer.status, 200, "90 short headers are taken");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\n");
        for (int i = 0; i < 110; i++)
            client_puts(&client, "X: 1\r\n");
        client_puts(&client, "\r\n");
        answer = client_answer(&client, false);
        is_int(answer.status, 431, "110 are too many");
    }
    close_server();
}

/* 20 MB, as a client sends that does not look at answers before it is through. */
static void send_20_mb(struct client *client)
{
    static const char data[65536];

    for (int i = 0; i < 320; i++)
        if (!client_send(client, data, sizeof(data)))
            break;
}

static void check_refused_uploads(void)
{
    open_server(&base_config);
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client,
                    "POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 20971520\r\n\r\n");
        answer = client_answer(&client, false);
        is_int(answer.status, 401, "an upload is refused before its body");
        is_str(answer_header(&answer, "Connection"), "close", "the connection is not kept");
        ok(wait_for(&seen.done_event), "and the handler is done, while the client may still send");
        ok(client_sees_end(&client) && !client.reset, "the server's side ends");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client,
                    "POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 20971520\r\n\r\n");
        send_20_mb(&client);
        answer = client_answer(&client, false);
        is_int(answer.status, 401, "a client that first sends all of its 20 MB reads the answer");
        ok(client_sees_end(&client) && !client.reset, "and is not reset");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "POST /refuse HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                             "Content-Length: 20971520\r\n\r\n");
        answer = client_answer(&client, false);
        is_int(answer.status, 401, "a client that waits for 100 Continue is refused without it");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 20971529\r\n\r\n"
                             "refuse me");
        send_20_mb(&client);
        answer = client_answer(&client, false);
        is_int(answer.status, 400, "an upload is refused in the midst of its body");
        is_str(answer.body, "refused in the body", "and the answer can be read");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "POST /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 20971520\r\n\r\n");
        send_20_mb(&client);
        answer = client_answer(&client, false);
        is_int(answer.status, 413, "a large body that nobody wants is refused");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer go = { 0 }, answer = { 0 };

        client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                             "Content-Length: 4\r\n\r\n");
        go = client_answer(&client, false);
        is_int(go.status, 100, "a client that waits for 100 Continue gets it");
        client_puts(&client, "abcd");
        answer = client_answer(&client, false);
        is_int(answer.status, 202, "and sends its body then");
    }
    close_server();
}

static void check_clients_that_leave(void)
{
    open_server(&base_config);
    for (int i = 0; i < 20; i++) {
        AUTO_CLIENT struct client client = client_open(port);

        client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc");
        if (i % 2)
            client_end(&client);
        else
            client_close(&client);
        if (i > 1)
            continue;
        ok(wait_for(&seen.done_event), "an upload whose client %s is done with",
           i ? "ends its side" : "leaves");
    }
    for (int i = 2; i < 20; i++)
        wait_for(&seen.done_event);
    is_int(seen.done, 20, "20 of 20");
    {
        AUTO_CLIENT struct client client = client_open(port);

        client_puts(&client, GET("/later"));
        ok(wait_for(&seen.later_event), "a request waits for its answer");
        client_close(&client);
        resume(seen.later);
        ok(wait_for(&seen.done_event), "though its client has left it is done with");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, GET("/later"));
        client_end(&client);
        wait_for(&seen.later_event);
        resume(seen.later);
        answer = client_answer(&client, false);
        is_int(answer.status, 200, "a client that ended its side gets a later answer");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, GET("/hello"));
        client_end(&client);
        answer = client_answer(&client, false);
        is_str(answer.body, "hello", "a client that ended its side gets its answer");
        ok(client_sees_end(&client), "and then the end");
    }
    close_server();
}

/* Sends a byte now and then until the server ends the connection; gives up after some seconds. */
static int64_t trickle(struct client *client, char byte, int every_ms)
{
    int64_t from = clock_mono_ms();

    while (clock_mono_ms() - from < 8000 && client_sees_nothing(client, every_ms))
        if (!client_send(client, &byte, 1))
            break;
    return clock_mono_ms() - from;
}

static void check_deadlines(void)
{
    struct http_server_config config = base_config;

    config.idle_timeout_ms = 700;
    config.header_timeout_ms = 300;
    config.body_grace_ms = 300;
    config.min_body_rate = 1000;
    open_server(&config);
    {
        AUTO_CLIENT struct client client = client_open(port);
        int64_t from = clock_mono_ms();

        ok(client_sees_end(&client), "a connection that asks nothing is ended");
        ok(clock_mono_ms() - from >= 600, "but not before its time");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);

        ok(trickle(&client, 'A', 20) < 2000, "a first line that trickles in is cut off");
        ok(client_sees_end(&client), "by the end of the connection");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\nX: ");
        ok(trickle(&client, 'A', 20) < 2000, "headers that trickle in are cut off");
        answer = client_answer(&client, false);
        is_int(answer.status, 408, "with an answer that says so");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer first = { 0 }, answer = { 0 };

        client_puts(&client, GET("/hello"));
        first = client_answer(&client, false);
        ok(trickle(&client, 'A', 20) < 2000, "the second request of a connection too");
        ok(client_sees_end(&client), "by the end of the connection");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
        ok(trickle(&client, 'A', 20) < 2000, "a body that trickles in is cut off");
        answer = client_answer(&client, false);
        is_int(answer.status, 408, "with an answer that says so");
        ok(wait_for(&seen.done_event), "and the handler is done");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 3000\r\n\r\n");
        for (int i = 0; i < 30; i++) { /* 100 bytes each 20 ms, 5000 bytes a second */
            char piece[100] = { 0 };

            client_sees_nothing(&client, 20);
            client_send(&client, piece, sizeof(piece));
        }
        answer = client_answer(&client, false);
        is_int(answer.status, 202, "a slow body that keeps the least rate is taken");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, GET("/later"));
        wait_for(&seen.later_event);
        ok(client_sees_nothing(&client, 1000), "a request that waits for its answer is left alone");
        resume(seen.later);
        answer = client_answer(&client, false);
        is_int(answer.status, 200, "and gets it");
        while (sem_trywait(&seen.done_event) == 0)
            ;
    }
    {
        AUTO_CLIENT struct client client = client_open(port);

        client_puts(&client, GET("/large"));
        ok(wait_for(&seen.done_event), "a client that reads nothing of its answer is cut off");
    }
    {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&client, GET("/large"));
        answer = client_answer(&client, false);
        is_int(answer.body_len, LARGE, "one that reads gets all of it");
    }
    close_server();
}

static void check_drain(void)
{
    AUTO_CLIENT struct client idle = { .fd = -1 }, waiting = { .fd = -1 }, late = { .fd = -1 };
    AUTO_ANSWER struct answer first = { 0 }, second = { 0 }, third = { 0 };

    open_server(&base_config);
    idle = client_open(port);
    client_puts(&idle, GET("/hello"));
    first = client_answer(&idle, false);
    ok(answer_header(&first, "Connection") == NULL, "a connection is kept");
    waiting = client_open(port);
    client_puts(&waiting, GET("/later"));
    wait_for(&seen.later_event);

    http_server_drain(server);
    ok(!client_try(&late, "127.0.0.1", port), "a draining server takes no connections");
    client_puts(&idle, GET("/hello"));
    second = client_answer(&idle, false);
    is_str(second.body, "hello", "an old connection is still served");
    is_str(answer_header(&second, "Connection"), "close", "and told that this was the last time");
    ok(client_sees_end(&idle), "and ended");
    resume(seen.later);
    third = client_answer(&waiting, false);
    is_int(third.status, 200, "who waited gets an answer");
    is_str(answer_header(&third, "Connection"), "close", "the last one");
    close_server();
}

static void *resume_when_closing(void *arg)
{
    AUTO_CLIENT struct client client = { .fd = -1 };

    (void) arg;
    while (client_try(&client, "127.0.0.1", port))
        client_close(&client);
    return resume(seen.later);
}

static void check_close(void)
{
    AUTO_CLIENT struct client waiting = { .fd = -1 }, upload = { .fd = -1 };
    AUTO_ANSWER struct answer answer = { 0 };
    int64_t from;
    pthread_t thread;

    open_server(&base_config);
    waiting = client_open(port);
    client_puts(&waiting, GET("/later"));
    wait_for(&seen.later_event);
    pthread_create(&thread, NULL, resume_when_closing, NULL);
    close_server();
    pthread_join(thread, NULL);
    answer = client_answer(&waiting, false);
    is_int(answer.status, 200, "closing waits for a request under way");

    open_server(&base_config);
    upload = client_open(port);
    client_puts(&upload, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc");
    while (seen.bytes != 3)
        client_sees_nothing(&upload, 1);
    from = clock_mono_ms();
    http_server_close(server, 200);
    from = clock_mono_ms() - from;
    ok(from >= 200 && from < 3000, "but not for ever");
    is_int(seen.done, 1, "and is done with what it cuts off");
}

static void check_limit(void)
{
    struct http_server_config config = base_config;
    struct client clients[4];
    int good = 0;

    config.max_connections = 4;
    config.threads = 1;
    open_server(&config);
    for (int i = 0; i < 4; i++) {
        AUTO_ANSWER struct answer answer = { 0 };

        clients[i] = client_open(port);
        client_puts(&clients[i], GET("/hello"));
        answer = client_answer(&clients[i], false);
        good += answer.status == 200;
    }
    is_int(good, 4, "as many connections as allowed are served");
    {
        AUTO_ANSWER struct answer answer = ask(GET("/hello"));

        is_int(answer.status, 200, "one more takes the place of an idle one");
    }
    good = 0;
    for (int i = 0; i < 4; i++)
        good += !client_sees_nothing(&clients[i], 0);
    ok(good >= 1, "which is ended");
    for (int i = 0; i < 4; i++)
        client_close(&clients[i]);
    close_server();
}

static void check_address(void)
{
    struct http_server_config config = base_config;
    struct err err = { 0 };

    config.address = "::1";
    open_server(&config);
    {
        AUTO_CLIENT struct client client = { .fd = -1 };
        AUTO_ANSWER struct answer answer = { 0 };

        ok(client_try(&client, "::1", port), "a server listens at an IPv6 address");
        client_puts(&client, GET("/hello"));
        answer = client_answer(&client, false);
        is_int(answer.status, 200, "and answers there");
    }
    config.port = port;
    ok(http_server_open(&config, &err) == NULL, "a port that is taken is refused");
    ok(strstr(err.msg, "cannot listen at ::1"), "and the error says so");
    close_server();
    config.address = "localhost";
    ok(http_server_open(&config, &err) == NULL, "a name is no address");
}

static void check_metrics(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    metric_write(&text);
    ok(strstr(buf_text(&text), "platen_http_requests_total{code=\"405\"} 2\n"),
       "answers are counted by status");
    ok(strstr(buf_text(&text), "platen_http_received_bytes_total "), "bytes received are counted");
    ok(strstr(buf_text(&text), "platen_http_sent_bytes_total "), "bytes sent are counted");
}

int main(void)
{
    sem_init(&seen.done_event, 0, 0);
    sem_init(&seen.later_event, 0, 0);
    check_exchanges();
    check_nuls();
    check_answers();
    check_metrics();
    check_keep_alive();
    check_large_headers();
    check_refused_uploads();
    check_clients_that_leave();
    check_deadlines();
    check_drain();
    check_close();
    check_limit();
    check_address();
    return done_testing();
}
