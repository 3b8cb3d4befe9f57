/* Requests that two servers in a row could understand differently: none may get through. */
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "fixture.h"
#include "tap.h"

struct exchange {
    const char *sentence, *request;
    int status;
    const char *body; /* NULL: any */
};

static const struct exchange exchanges[] = {
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
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 4, 4\r\n\r\nabcd", 400,
      "invalid_request: the request's Content-Length is not a number" },
    { "a negative Content-Length is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: -4\r\n\r\nabcd", 400, NULL },
    { "a Content-Length with a sign is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: +4\r\n\r\nabcd", 400,
      "invalid_request: the request's Content-Length is not a number" },
    { "a hexadecimal Content-Length is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 0x4\r\n\r\nabcd", 400, NULL },
    { "an empty Content-Length is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\nabcd", 400, NULL },
    { "a Content-Length of 2^64 is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551616\r\n\r\nabcd", 413,
      "file_too_large: the request's Content-Length is too large" },
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
    { "a header without a colon is refused", "GET /hello HTTP/1.1\r\nHost: h\r\nfoo\r\n\r\n", 400,
      "invalid_request: the request's header section is malformed" },
    { "a first line without a version is refused", "GET /hello HTTQ\r\nHost: h\r\n\r\n", 400,
      "invalid_request: the request's first line is malformed" },
    { "a newer version of HTTP is refused", "GET /hello HTTP/3.0\r\nHost: h\r\n\r\n", 505,
      "invalid_request: the version of HTTP must be 1.1 or 1.0" },
    { "an older version of HTTP is refused", "GET /hello HTTP/0.9\r\nHost: h\r\n\r\n", 505,
      "invalid_request: the version of HTTP must be 1.1 or 1.0" },
    { "a broken chunk is refused",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400,
      "invalid_request: a chunk of the request's body is malformed" },
};

/* Where framing cannot see what the library skipped, the library refuses the request, or nothing is
 * read after it. */
static void check_harmless(const struct answer *answer, const char *sentence)
{
    const char *connection = answer_header(answer, "Connection");

    ok(answer->status == 0 || answer->status >= 300 ||
           (one_request_each() && connection && strcmp(connection, "close") == 0),
       "%s, or is the last of its connection", sentence);
}

static void check_exchanges(void)
{
    open_server(&fixture_config);
    for (size_t i = 0; i < COUNT(exchanges); i++) {
        AUTO_ANSWER struct answer answer = ask(exchanges[i].request);

        if (!internals_use(INTERNALS_LINES)) {
            check_harmless(&answer, exchanges[i].sentence);
            continue;
        }
        is_int(answer.status, exchanges[i].status, "%s", exchanges[i].sentence);
        if (exchanges[i].body)
            is_str(answer.body, exchanges[i].body, "%s: the body", exchanges[i].sentence);
        if (!answer_header(&answer, "X-Request-Id"))
            ok(false, "%s: as every other answer", exchanges[i].sentence);
    }
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

/* What libmicrohttpd refuses itself: answered once, in our form, and read to its end. */
static void check_unreadable(void)
{
    static char long_line[2000000];
    static const struct {
        const char *sentence, *before, *fill, *after;
        int status;
    } cases[] = {
        { "a first line of 2 MB is refused", "GET /", "aaaaaaaa", " HTTP/1.1\r\nHost: h\r\n\r\n",
          414 },
        { "a header of 2 MB is refused", "GET / HTTP/1.1\r\nHost: h\r\nX: ", "aaaaaaaa", "\r\n\r\n",
          431 },
        { "a quarter of a million headers are refused", "GET / HTTP/1.1\r\nHost: h\r\n",
          "X: aa\r\n", "\r\n", 431 },
        { "so are as many cookies", "GET / HTTP/1.1\r\nHost: h\r\nCookie: ", "abc=def;", "\r\n\r\n",
          431 },
    };

    open_server(&fixture_config);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };
        size_t n = strlen(cases[i].fill);
        bool all;

        for (size_t at = 0; at + n <= sizeof long_line; at += n)
            memcpy(long_line + at, cases[i].fill, n);
        client_puts(&client, cases[i].before);
        all = client_send(&client, long_line, sizeof long_line / n * n);
        client_puts(&client, cases[i].after);
        answer = client_answer(&client, false);
        /* The library closes at once, and the answer may be lost. */
        if (internals_use(INTERNALS_REFUSALS)) {
            ok(all, "%s: all of it is read", cases[i].sentence);
            is_int(answer.status, cases[i].status, "%s", cases[i].sentence);
            ok(strncmp(answer.body, "invalid_request: ", 17) == 0, "%s: in the usual form",
               cases[i].sentence);
        }
        ok(client_sees_end(&client), "%s: nothing else comes", cases[i].sentence);
    }
    close_server();
}

/* A few hundred short cookies, which libmicrohttpd 0.9.75 answers with two header sections. */
static void check_cookies(void)
{
    AUTO_BUF struct buf request = BUF_EMPTY;
    AUTO_CLIENT struct client client = { .fd = -1 };
    AUTO_ANSWER struct answer first = { 0 }, second = { 0 };

    open_server(&fixture_config);
    client = client_open(port);
    client_puts(&client, GET("/hello"));
    first = client_answer(&client, false);
    is_int(first.status, 200, "the first request of a connection is answered 200");
    buf_puts(&request, "GET /hello HTTP/1.1\r\nHost: h\r\nCookie: a=1");
    for (int i = 0; i < 900; i++)
        buf_puts(&request, "; a=1");
    buf_puts(&request, "\r\n\r\n");
    client_send(&client, request.data, request.len);
    second = client_answer(&client, false);
    is_int(second.status, 431, "a second request with 900 cookies is answered 431");
    is_str(second.body, "invalid_request: the request's headers are too long",
           "the refusal of too many cookies has the usual body");
    ok(client_sees_end(&client), "the connection ends after the refusal");
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

    open_server(&fixture_config);
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_CLIENT struct client client = client_open(port);
        AUTO_ANSWER struct answer answer = { 0 };

        client_send(&client, cases[i].text, cases[i].n);
        answer = client_answer(&client, false);
        if (internals_use(INTERNALS_LINES))
            is_int(answer.status, 400, "%s", cases[i].sentence);
        else
            check_harmless(&answer, cases[i].sentence);
        ok(client_sees_end(&client), "%s, and the connection ends", cases[i].sentence);
    }
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

/* More parameters than libmicrohttpd has memory for records of them. */
static void check_parameters(void)
{
    bool hidden = internals_use(INTERNALS_TARGET);
    AUTO_BUF struct buf request = BUF_EMPTY;
    AUTO_ANSWER struct answer answer = { 0 };

    buf_puts(&request, "GET /hello?a");
    for (int i = 0; i < 5000; i++)
        buf_puts(&request, "&a");
    buf_puts(&request, " HTTP/1.1\r\nHost: h\r\n\r\n");
    open_server(&fixture_config);
    answer = ask(buf_text(&request));
    close_server();
    is_int(answer.status, hidden ? 200 : 400, "an address with 5,001 parameters is answered");
    if (!hidden)
        is_str(answer.body, "invalid_request: the address has more than 32 parameters",
               "the answer names the limit where the library sees the parameters");
}

/* libmicrohttpd refuses a request while it is stopped: it takes no response then, and uses it all
 * the same if it is not told so. */
static void check_close_meanwhile(void)
{
    AUTO_CLIENT struct client client = { .fd = -1 };

    open_server(&fixture_config);
    client = client_open(port);
    seen.hold_ms = 300; /* until the server is stopped, which nothing tells */
    client_puts(&client, "GET /hello HTTP/3.0\r\nHost: h\r\n\r\n");
    ok(wait_for(&seen.later_event), "a request is being refused");
    http_server_close(server, 0);
    ok(client_sees(&client, " 505 "), "and is, though the server stops meanwhile");
}

int main(void)
{
    check_exchanges();
    check_unreadable();
    check_nuls();
    check_parameters();
    if (internals_use(INTERNALS_REFUSALS)) {
        check_cookies();
        check_close_meanwhile();
    }
    return done_testing();
}
