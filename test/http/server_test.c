/* What a client gets that asks by the rules. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/metric.h"
#include "base/scope.h"
#include "fixture.h"
#include "tap.h"

struct exchange {
    const char *sentence, *request;
    int status;
    const char *body; /* NULL: any */
};

static const struct exchange exchanges[] = {
    { "a GET is answered", GET("/hello"), 200, "hello" },
    { "a route of another method is another route", "POST /hello HTTP/1.1\r\nHost: h\r\n\r\n", 200,
      "hello" },
    { "HTTP/1.0 needs no Host", "GET /hello HTTP/1.0\r\n\r\n", 200, "hello" },
    { "an absolute address is taken", "GET http://h/hello HTTP/1.1\r\nHost: h\r\n\r\n", 200,
      "hello" },
    { "an unknown path is not found", GET("/nothing"), 404,
      "not_found: there is no such address: GET /openapi.json lists all of them" },
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
};

static void check_exchanges(void)
{
    open_server(&fixture_config);
    for (size_t i = 0; i < COUNT(exchanges); i++) {
        AUTO_ANSWER struct answer answer = ask(exchanges[i].request);

        is_int(answer.status, exchanges[i].status, "%s", exchanges[i].sentence);
        if (exchanges[i].body)
            is_str(answer.body, exchanges[i].body, "%s: the body", exchanges[i].sentence);
    }
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

static void check_answers(void)
{
    AUTO_ANSWER struct answer head = { 0 }, get = { 0 }, post = { 0 }, put = { 0 };

    open_server(&fixture_config);
    get = ask(GET("/hello"));
    is_str(answer_header(&get, "Content-Type"), "text/plain", "a handler's header is sent");
    ok(answer_header(&get, "X-Request-Id"),
       "an answer has the header that the finish callback adds");
    ok(answer_header(&get, "Date"), "an answer has a Date");
    head = ask("HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\n");
    is_int(head.status, 200, "HEAD is served by a GET route");
    is_str(answer_header(&head, "Content-Length"), "5",
           "the answer to HEAD has the length that GET would send");
    put = ask("PUT /jobs/1 HTTP/1.1\r\nHost: h\r\n\r\n");
    is_int(put.status, 405, "a method that no route of the address has is answered 405");
    is_str(answer_header(&put, "Allow"), "GET, HEAD, DELETE",
           "the answer 405 has the allowed methods in Allow");
    ok(answer_header(&put, "X-Request-Id"),
       "the answer 405 has the header that the finish callback adds");
    post = ask("HEAD /upload HTTP/1.1\r\nHost: h\r\n\r\n");
    is_int(post.status, 405, "HEAD of an address with only POST is answered 405");
    is_str(answer_header(&post, "Allow"), "POST",
           "Allow of an address with only POST does not have HEAD");
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

static void check_metrics(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    metric_write(&text);
    ok(strstr(buf_text(&text), "platen_http_requests_total{code=\"405\",route=\"none\"} 2\n"),
       "answers are counted by status");
    ok(strstr(buf_text(&text), "platen_http_received_bytes_total "), "bytes received are counted");
    ok(strstr(buf_text(&text), "platen_http_sent_bytes_total "), "bytes sent are counted");
}

static void check_one_request(void)
{
    AUTO_CLIENT struct client client = { .fd = -1 };
    AUTO_ANSWER struct answer answer = { 0 };

    open_server(&fixture_config);
    client = client_open(port);
    client_puts(&client, GET("/hello") GET("/hello"));
    answer = client_answer(&client, false);
    is_str(answer.body, "hello", "the first request of a connection is answered");
    is_str(answer_header(&answer, "Connection"), "close",
           "the answer has Connection: close if the library is not known");
    ok(client_sees_end(&client), "the second request of a connection is not read then");
    close_server();
}

static void check_keep_alive(void)
{
    struct client client;
    int good = 0;

    open_server(&fixture_config);
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
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

static void many_headers(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\n");
    for (int i = 0; i < 700; i++)
        client_puts(&client, "X: 1\r\n");
    client_puts(&client, "\r\n");
    answer = client_answer(&client, false);
    is_int(answer.status, 200, "a request with 700 short headers is accepted");
}

static void too_many_headers(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\n");
    for (int i = 0; i < 900; i++)
        client_puts(&client, "X: 1\r\n");
    client_puts(&client, "\r\n");
    answer = client_answer(&client, false);
    is_int(answer.status, 431, "a request with 900 short headers is answered 431");
}

/* Of an auth proxy, or of a domain that many programs share. */
static void many_cookies(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\nCookie: a=1");
    for (int i = 0; i < 200; i++)
        client_puts(&client, "; name=0123456789abcdef0123456789abcdef0123456789abcdef"
                             "0123456789abcdef0123456789");
    client_puts(&client, "\r\n\r\n");
    answer = client_answer(&client, false);
    is_int(answer.status, 200, "a request with 16 kB of cookies is accepted");
}

static void check_large_headers(void)
{
    AUTO_FREE char *filler = malloc(150000);

    open_server(&fixture_config);
    for (size_t n = 1000; n <= 141000; n += n < 25000 ? 500 : 29000) {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        memset(filler, 'a', n);
        filler[n] = '\0';
        client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\nX-Filler: ");
        client_puts(&client, filler);
        client_puts(&client, "\r\n\r\n");
        answer = client_answer(&client, false);
        if (n == 20000 || n == 21000 || n > 25000 || (answer.status != 200 && answer.status != 431))
            is_int(answer.status, n <= 20000 ? 200 : 431, "headers of %zu bytes", n);
    }
    many_cookies();
    many_headers();
    too_many_headers();
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

static int64_t resident_pages(void)
{
    FILE *statm = fopen("/proc/self/statm", "re");
    long long all = 0, resident = 0;

    if (!statm || fscanf(statm, "%lld %lld", &all, &resident) != 2)
        resident = -1;
    if (statm)
        fclose(statm);
    return resident;
}

/* ThreadSanitizer has up to five bytes of its own for each. */
#if defined(__SANITIZE_THREAD__)
#define TIMES 6
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TIMES 6
#endif
#endif
#ifndef TIMES
#define TIMES 1
#endif

static void check_idle_memory(void)
{
    enum { MANY = 150 };
    struct client clients[MANY];
    int64_t before, kb;

    open_server(&fixture_config);
    before = resident_pages();
    for (int i = 0; i < MANY; i++) {
        clients[i] = client_open(port);
        client_puts(&clients[i], GET("/hello"));
        answer_free(&(struct answer[]){ client_answer(&clients[i], false) }[0]);
    }
    kb = (resident_pages() - before) * sysconf(_SC_PAGESIZE) / 1024;
    /* Two threads leave 32 each alone. */
    ok(before > 0 && kb < TIMES * (64 * 80 + (MANY - 64) * 24), "%d idle connections take %lld kB",
       MANY, (long long) kb);
    for (int i = 0; i < MANY; i++)
        client_close(&clients[i]);
    close_server();
}

static void check_address(void)
{
    struct http_server_config config = fixture_config;
    struct err err = { 0 };

    config.address = "::1";
    open_server(&config);
    {
        AUTO_CLIENT struct client client = { .fd = -1 };
        AUTO_ANSWER struct answer answer = { 0 };

        ok(client_try(&client, "::1", port),
           "a server listening at an IPv6 address accepts a connection");
        client_puts(&client, GET("/hello"));
        answer = client_answer(&client, false);
        is_int(answer.status, 200, "a server listening at an IPv6 address answers");
    }
    config.port = port;
    ok(http_server_open(&config, &err) == NULL, "a port that is in use is refused");
    ok(strstr(err.msg, "cannot listen at ::1"),
       "the error for a port in use names address and port");
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
    config.address = "localhost";
    ok(http_server_open(&config, &err) == NULL, "a host name as address is refused");
}

int main(void)
{
    check_exchanges();
    check_answers();
    check_metrics();
    if (one_request_each())
        check_one_request();
    else
        check_keep_alive();
    check_large_headers();
    if (internals_use(INTERNALS_POOL))
        check_idle_memory();
    check_address();
    return done_testing();
}
