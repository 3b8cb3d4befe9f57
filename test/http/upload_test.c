/* Uploads that are refused, clients that leave, answers that come later. */
#include <stdlib.h>

#include "base/scope.h"
#include "fixture.h"
#include "tap.h"

/* 20 MB, as a client sends that does not look at answers before it is through. */
static bool send_20_mb(struct client *client)
{
    static const char data[65536];

    for (int i = 0; i < 320; i++)
        if (!client_send(client, data, sizeof(data)))
            return false;
    return true;
}

static void refused_before_the_body(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 20971520\r\n\r\n");
    answer = client_answer(&client, false);
    is_int(answer.status, 401, "an upload is refused before its body");
    is_str(answer_header(&answer, "Connection"), "close",
           "the refusal of an upload before its body has Connection: close");
    ok(wait_for(&seen.done_event), "the handler ends while the client may still send");
    ok(client_sees_end(&client) && !client.reset,
       "the server closes the connection without a reset");
}

static void refused_but_all_sent(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 20971520\r\n\r\n");
    ok(send_20_mb(&client), "a client can send its whole body of 20 MB after it was refused");
    answer = client_answer(&client, false);
    is_int(answer.status, 401, "a client that first sends its whole body then reads the answer");
    ok(client_sees_end(&client) && !client.reset,
       "the connection of a client that sent its whole body is not reset");
}

static void refused_while_waiting(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "POST /refuse HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                         "Content-Length: 20971520\r\n\r\n");
    answer = client_answer(&client, false);
    is_int(answer.status, 401, "a client that waits for 100 Continue is refused without it");
}

static void refused_in_the_body(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 20971529\r\n\r\n"
                         "refuse me");
    ok(send_20_mb(&client), "a client can send 20 MB although the body is refused in the middle");
    answer = client_answer(&client, false);
    is_int(answer.status, 400, "an upload is refused in the midst of its body");
    is_str(answer.body, "refused in the body", "the refusal in the middle of a body has its text");
}

static void refused_without_a_taker(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "POST /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 20971520\r\n\r\n");
    ok(send_20_mb(&client), "a client can send 20 MB to an address that accepts no body");
    answer = client_answer(&client, false);
    is_int(answer.status, 413, "a body larger than allowed is answered 413");
}

static void taken_after_100(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer go = { 0 }, answer = { 0 };

    client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                         "Content-Length: 4\r\n\r\n");
    go = client_answer(&client, false);
    is_int(go.status, 100, "a client that waits for 100 Continue gets it if it is accepted");
    client_puts(&client, "abcd");
    answer = client_answer(&client, false);
    is_int(answer.status, 202, "a body sent after 100 Continue is accepted");
}

static void check_refused_uploads(void)
{
    open_server(&fixture_config);
    refused_before_the_body();
    refused_but_all_sent();
    refused_while_waiting();
    refused_in_the_body();
    refused_without_a_taker();
    taken_after_100();
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

static void leave_while_waiting(void)
{
    AUTO_CLIENT struct client client = client_open(port);

    client_puts(&client, GET("/later"));
    ok(wait_for(&seen.later_event), "a request is answered later by another thread");
    client_close(&client);
    fixture_resume(seen.later);
    ok(wait_for(&seen.done_event), "a request whose client disconnected is ended");
}

static void end_while_waiting(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, GET("/later"));
    client_end(&client);
    wait_for(&seen.later_event);
    fixture_resume(seen.later);
    answer = client_answer(&client, false);
    is_int(answer.status, 200, "a client that ended its side gets a later answer");
    ok(wait_for(&seen.done_event), "a request whose client shut down its sending side is ended");
}

static void end_with_the_last_bytes(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer first = { 0 };

    if (!one_request_each()) {
        client_puts(&client, GET("/hello"));
        first = client_answer(&client, false);
    }
    client_hold(&client);
    client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc");
    client_end(&client);
    ok(wait_for(&seen.done_event), "the end of sending is noticed if it comes with the last bytes");
}

static void end_after_asking(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, GET("/hello"));
    client_end(&client);
    answer = client_answer(&client, false);
    is_str(answer.body, "hello", "a client that shut down its sending side gets its answer");
    ok(client_sees_end(&client), "the connection ends after the answer");
}

static void check_clients_that_leave(void)
{
    open_server(&fixture_config);
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
    is_int(seen.done, 20, "all 20 uploads whose client disconnected are ended");
    leave_while_waiting();
    end_while_waiting();
    end_with_the_last_bytes();
    end_after_asking();
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

int main(void)
{
    check_refused_uploads();
    check_clients_that_leave();
    return done_testing();
}
