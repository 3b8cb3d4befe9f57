/* Requests that two servers in a row could understand differently: none may get through. */
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
    open_server(&fixture_config);
    for (size_t i = 0; i < COUNT(exchanges); i++) {
        AUTO_ANSWER struct answer answer = ask(exchanges[i].request);

        is_int(answer.status, exchanges[i].status, "%s", exchanges[i].sentence);
        if (exchanges[i].body)
            is_str(answer.body, exchanges[i].body, "%s: the body", exchanges[i].sentence);
    }
    close_server();
    is_int(seen.done, seen.begun, "every request that began was done with once");
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
        is_int(answer.status, 400, "%s", cases[i].sentence);
        ok(client_sees_end(&client), "%s, and the connection ends", cases[i].sentence);
    }
    close_server();
    is_int(seen.done, seen.begun, "every request that began was done with once");
}

int main(void)
{
    check_exchanges();
    check_nuls();
    return done_testing();
}
