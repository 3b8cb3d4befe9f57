/* Clients that take their time, and a server that ends. */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/scope.h"
#include "fixture.h"
#include "server/http/accept_queue.h"
#include "tap.h"

/* A server that cuts nobody off; one that does so in its time may be on a busy machine. */
#define GIVE_UP_MS 30000

/* Sends a byte now and then until the server ends the connection; gives up at last. */
static int64_t trickle(struct client *client, char byte, int every_ms)
{
    int64_t from = clock_mono_ms();

    while (clock_mono_ms() - from < GIVE_UP_MS && client_sees_nothing(client, every_ms))
        if (!client_send(client, &byte, 1))
            break;
    return clock_mono_ms() - from;
}

static void idle(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    int64_t from = clock_mono_ms();

    ok(client_sees_end(&client), "a connection without a request is closed");
    ok(clock_mono_ms() - from >= 600,
       "a connection without a request is not closed before its time limit");
}

static void slow_first_line(void)
{
    AUTO_CLIENT struct client client = client_open(port);

    ok(trickle(&client, 'A', 20) < GIVE_UP_MS, "a first line that trickles in is cut off");
    ok(client_sees_end(&client),
       "a connection whose first line trickles in is closed without an answer");
}

static void slow_headers(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "GET /hello HTTP/1.1\r\nHost: h\r\nX: ");
    ok(trickle(&client, 'A', 20) < GIVE_UP_MS, "headers that trickle in are cut off");
    answer = client_answer(&client, false);
    is_int(answer.status, 408, "headers that trickle in are answered 408");
}

static void slow_second_request(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer first = { 0 };

    client_puts(&client, GET("/hello"));
    first = client_answer(&client, false);
    ok(trickle(&client, 'A', 20) < GIVE_UP_MS,
       "headers of a second request that trickle in are cut off");
    ok(client_sees_end(&client),
       "a connection whose second request trickles in is closed without an answer");
}

static void slow_body(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
    ok(trickle(&client, 'A', 20) < GIVE_UP_MS, "a body that trickles in is cut off");
    answer = client_answer(&client, false);
    is_int(answer.status, 408, "a body that trickles in is answered 408");
    ok(wait_for(&seen.done_event), "the handler of a body that trickles in is ended");
}

static void steady_body(void)
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
    is_int(answer.status, 202, "a slow body at the minimum rate is accepted");
}

static void long_wait(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, GET("/later"));
    wait_for(&seen.later_event);
    ok(client_sees_nothing(&client, 1000), "a request that waits for its answer is not cut off");
    fixture_resume(seen.later);
    answer = client_answer(&client, false);
    is_int(answer.status, 200, "a request that waited gets its answer");
    while (sem_trywait(&seen.done_event) == 0)
        ;
}

static void unread_answer(void)
{
    AUTO_CLIENT struct client client = client_open(port);

    client_puts(&client, GET("/large"));
    ok(wait_for(&seen.done_event), "a client that does not read its answer is cut off");
}

/* So that acknowledgements come all the time, but far below the rate. */
static void slow_reader(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_FREE char *piece = malloc(70000);
    int64_t from = clock_mono_ms();
    bool done = false;

    client_puts(&client, GET("/large"));
    while (!done && clock_mono_ms() - from < GIVE_UP_MS) {
        (void) !recv(client.fd, piece, 70000, MSG_DONTWAIT);
        poll(NULL, 0, 100);
        done = sem_trywait(&seen.done_event) == 0;
    }
    ok(done, "a client that reads a little now and then is cut off");
}

static void read_answer(void)
{
    AUTO_CLIENT struct client client = client_open(port);
    AUTO_ANSWER struct answer answer = { 0 };

    client_puts(&client, GET("/large"));
    answer = client_answer(&client, false);
    is_int(answer.body_len, FIXTURE_LARGE,
           "a client that reads at the minimum rate gets the whole answer");
}

static void check_deadlines(void)
{
    struct http_server_config config = fixture_config;

    config.idle_timeout_ms = 700;
    config.header_timeout_ms = 300;
    config.body_grace_ms = 300;
    config.min_body_rate = 1000;
    open_server(&config);
    idle();
    slow_first_line();
    slow_headers();
    slow_second_request();
    slow_body();
    steady_body();
    long_wait();
    unread_answer();
    read_answer();
    wait_for(&seen.done_event);
    close_server();

    config.min_body_rate = 30000000;
    open_server(&config);
    slow_reader();
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

/* The only thread has something else to do when a request's time is up, for several looks of the
 * watch: the client is told all the same. */
static void check_busy(void)
{
    struct http_server_config config = fixture_config;
    AUTO_CLIENT struct client late = { .fd = -1 }, refused = { .fd = -1 };
    AUTO_ANSWER struct answer answer = { 0 };

    config.threads = 1;
    config.header_timeout_ms = 600;
    open_server(&config);
    late = client_open(port);
    client_puts(&late, "GET /hello HTTP/1.1\r\nHost: h\r\n");
    refused = client_open(port);
    seen.hold_ms = 1200;
    client_puts(&refused, "GET /hello HTTP/3.0\r\nHost: h\r\n\r\n");
    wait_for(&seen.later_event);
    answer = client_answer(&late, false);
    is_int(answer.status, 408, "a busy server answers late headers when it can");
    close_server();
}

static void *resume_when_closing(void *arg)
{
    AUTO_CLIENT struct client client = { .fd = -1 };

    (void) arg;
    while (client_try(&client, "127.0.0.1", port))
        client_close(&client);
    return fixture_resume(seen.later);
}

static void check_drain(void)
{
    AUTO_CLIENT struct client idle = { .fd = -1 }, waiting = { .fd = -1 }, late = { .fd = -1 };
    AUTO_ANSWER struct answer first = { 0 }, second = { 0 }, third = { 0 };

    open_server(&fixture_config);
    idle = client_open(port);
    client_puts(&idle, GET("/hello"));
    first = client_answer(&idle, false);
    if (!one_request_each())
        ok(answer_header(&first, "Connection") == NULL,
           "a connection is kept alive before draining");
    waiting = client_open(port);
    client_puts(&waiting, GET("/later"));
    wait_for(&seen.later_event);

    http_server_drain(server);
    ok(!client_try(&late, "127.0.0.1", port), "a draining server accepts no connections");
    if (!one_request_each()) {
        client_puts(&idle, GET("/hello"));
        second = client_answer(&idle, false);
        is_str(second.body, "hello",
               "a draining server answers the next request of an old connection");
        is_str(answer_header(&second, "Connection"), "close",
               "a draining server's answer has Connection: close");
    }
    ok(client_sees_end(&idle), "a draining server closes idle connections");
    fixture_resume(seen.later);
    third = client_answer(&waiting, false);
    is_int(third.status, 200, "a request that waits while the server drains is answered");
    is_str(answer_header(&third, "Connection"), "close",
           "the answer to a request that waited while draining has Connection: close");
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

static void check_close(void)
{
    AUTO_CLIENT struct client waiting = { .fd = -1 }, upload = { .fd = -1 };
    AUTO_ANSWER struct answer answer = { 0 };
    int64_t from;
    pthread_t thread;

    open_server(&fixture_config);
    waiting = client_open(port);
    client_puts(&waiting, GET("/later"));
    wait_for(&seen.later_event);
    pthread_create(&thread, NULL, resume_when_closing, NULL);
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
    pthread_join(thread, NULL);
    answer = client_answer(&waiting, false);
    is_int(answer.status, 200, "closing the server waits for a request in progress");

    open_server(&fixture_config);
    upload = client_open(port);
    client_puts(&upload, "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc");
    while (seen.bytes != 3)
        client_sees_nothing(&upload, 1);
    from = clock_mono_ms();
    http_server_close(server, 200);
    from = clock_mono_ms() - from;
    ok(from >= 200 && from < GIVE_UP_MS, "closing the server waits for a limited time");
    is_int(seen.done, 1, "closing the server ends the requests that it cuts off");
}

static bool is_proxy(void *arg, const struct net_address *address)
{
    (void) arg;
    return net_is_loopback(address);
}

/* 127.0.0.2 stands for all clients that are not this machine itself. */
static bool is_stranger(void *arg, const struct net_address *address)
{
    (void) arg;
    return net_is_loopback(address) && address->bytes[15] == 2;
}

static void check_limit(void)
{
    struct http_server_config config = fixture_config;
    struct client clients[4];
    int good = 0;

    config.max_connections = 4;
    config.is_proxy = is_proxy; /* the loopback would have places of its own */
    config.threads = 1;
    /* No deadline is to end one of them, however slow the machine. */
    config.idle_timeout_ms = config.header_timeout_ms = 60000;
    open_server(&config);
    for (int i = 0; i < 4; i++) {
        AUTO_ANSWER struct answer answer = { 0 };

        clients[i] = client_open(port);
        client_puts(&clients[i], GET("/hello"));
        answer = client_answer(&clients[i], false);
        good += answer.status == 200;
    }
    is_int(good, 4, "as many connections as max_connections are served");
    {
        AUTO_ANSWER struct answer answer = ask(GET("/hello"));

        is_int(answer.status, 200, "a connection beyond max_connections replaces an idle one");
    }
    good = 0;
    for (int i = 0; i < 4; i++)
        good += !client_sees_nothing(&clients[i], 0);
    ok(good >= 1, "the idle connection that was replaced is closed");
    for (int i = 0; i < 4; i++)
        client_close(&clients[i]);
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

#define HALF "GET /hello HTTP/1.1\r\nHost: h\r\n"

/* Requests that never end their headers hold all places: the next request is answered even so. */
static void check_half_requests(void)
{
    struct http_server_config config = fixture_config;
    struct client clients[4];

    config.max_connections = 4;
    config.is_proxy = is_proxy;
    config.threads = 1;
    config.idle_timeout_ms = config.header_timeout_ms = 60000;
    open_server(&config);
    for (int i = 0; i < 4; i++) {
        clients[i] = client_open(port);
        client_puts(&clients[i], HALF);
    }
    while (http_server_connections(server) < 4)
        client_sees_nothing(&clients[0], 1);
    for (int i = 0; i < 3; i++) {
        AUTO_ANSWER struct answer answer = ask(GET("/hello"));

        is_int(answer.status, 200,
               "a connection beyond max_connections replaces an incomplete request");
    }
    for (int i = 0; i < 4; i++)
        client_close(&clients[i]);
    close_server();
}

#define UPLOAD "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc"

/* Clients that nothing may cut off hold all places and fill the queue of accepted connections: this
 * machine's own programs still reach the server, and who waits is served once there is room. */
static void check_reserve(void)
{
    struct http_server_config config = fixture_config;
    struct client clients[4], waiting[ACCEPT_QUEUE_PLACES];
    AUTO_CLIENT struct client beyond = { .fd = -1 }, console = { .fd = -1 };
    AUTO_ANSWER struct answer answer = { 0 }, shown = { 0 };

    config.max_connections = 4;
    config.is_proxy = is_stranger;
    config.threads = 1;
    config.idle_timeout_ms = config.header_timeout_ms = 60000;
    config.body_grace_ms = 160; /* it looks for room every 20 ms, and nobody is too slow */
    config.min_body_rate = 0;
    open_server(&config);
    for (int i = 0; i < 4; i++) {
        clients[i] = client_from("127.0.0.2", port);
        client_puts(&clients[i], UPLOAD);
    }
    while (seen.begun < 4)
        client_sees_nothing(&clients[0], 1);
    for (size_t i = 0; i < COUNT(waiting); i++)
        waiting[i] = client_from("127.0.0.2", port);
    beyond = client_from("127.0.0.2", port);
    ok(client_sees_end(&beyond), "a connection to a full server whose queue is full is closed");
    for (int i = 0; i < 3; i++) {
        AUTO_ANSWER struct answer own = ask(GET("/hello"));

        is_int(own.status, 200, "a full server serves a connection from its own machine");
    }
    console = client_open(port);
    ok(client_sees_nothing(&console, 200),
       "an idle connection from the server's own machine is not replaced");
    client_puts(&console, GET("/hello"));
    shown = client_answer(&console, false);
    is_int(shown.status, 200, "a request on a connection from the server's own machine is served");
    client_puts(&waiting[0], GET("/hello"));
    ok(client_sees_nothing(&waiting[0], 50),
       "a connection in the queue is not served while the server is full");
    client_close(&clients[0]);
    answer = client_answer(&waiting[0], false);
    is_int(answer.status, 200, "a connection in the queue is served once there is room");
    for (int i = 1; i < 4; i++)
        client_close(&clients[i]);
    for (size_t i = 0; i < COUNT(waiting); i++)
        client_close(&waiting[i]);
    close_server();
    is_int(seen.done, seen.begun, "every request that began has ended exactly once");
}

/* Connects and sends a request without its end. */
static struct client half_request(void)
{
    struct client client = client_open(port);

    client_puts(&client, HALF);
    return client;
}

static void check_clients(void)
{
    struct http_server_config config = fixture_config;
    struct client clients[4];

    config.max_per_client = 2;
    config.idle_timeout_ms = config.header_timeout_ms = 60000;
    open_server(&config);
    for (int i = 0; i < 2; i++) {
        AUTO_ANSWER struct answer answer = { 0 };

        clients[i] = client_open(port);
        client_puts(&clients[i], GET("/hello"));
        answer = client_answer(&clients[i], false);
        is_int(answer.status, 200, "a client may have max_per_client connections");
    }
    clients[2] = client_open(port);
    client_puts(&clients[2], HALF);
    ok(client_sees_end(&clients[0]) || client_sees_end(&clients[1]),
       "a client's further connection replaces its own idle one");
    seen.bytes = 0;
    clients[3] = client_open(port);
    client_puts(&clients[3], "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc");
    ok(client_sees_end(&clients[1]) || client_sees_end(&clients[0]),
       "a client's second further connection replaces its other idle one");
    while (seen.bytes != 3)
        client_sees_nothing(&clients[3], 1);
    {
        AUTO_CLIENT struct client client = client_open(port);

        ok(client_sees_end(&client), "a further connection is closed if none is idle");
    }
    client_puts(&clients[2], "\r\n");
    {
        AUTO_ANSWER struct answer answer = client_answer(&clients[2], false);

        is_int(answer.status, 200, "the client's old connections are still served");
    }
    for (int i = 0; i < 4; i++)
        client_close(&clients[i]);
    while (http_server_connections(server) > 0)
        poll(NULL, 0, 1);
    {
        AUTO_ANSWER struct answer answer = ask(GET("/hello"));

        is_int(answer.status, 200, "a client's closed connections do not count");
    }
    close_server();
    config.is_proxy = is_proxy;
    open_server(&config);
    for (int i = 0; i < 4; i++)
        clients[i] = half_request();
    for (int i = 0; i < 4; i++) {
        AUTO_ANSWER struct answer answer = { 0 };

        client_puts(&clients[i], "\r\n");
        answer = client_answer(&clients[i], false);
        is_int(answer.status, 200, "a proxy may have as many connections as the server");
        client_close(&clients[i]);
    }
    close_server();
}

int main(void)
{
    check_busy();
    check_deadlines();
    check_drain();
    check_close();
    check_limit();
    check_half_requests();
    check_reserve();
    check_clients();
    return done_testing();
}
