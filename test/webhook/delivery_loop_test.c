/*
 * The delivery loop, with name servers that lie: this program's own getaddrinfo is what libcurl
 * calls. A name that stands for two addresses, or for another one each time, leads nowhere but
 * where it may.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "server/webhook/delivery_loop.h"
#include "tap.h"

#define ALLOWED "127.0.0.2"

static const char *answers[4]; /* of our name server, one for each look */
static atomic_int looks;

static struct addrinfo *one(const char *address, const char *service)
{
    struct addrinfo *info = calloc(1, sizeof *info + sizeof(struct sockaddr_in));
    struct sockaddr_in *peer = (struct sockaddr_in *) (info + 1);

    peer->sin_family = AF_INET;
    peer->sin_port = htons((uint16_t) (service ? strtoul(service, NULL, 10) : 0));
    inet_pton(AF_INET, address, &peer->sin_addr);
    *info = (struct addrinfo){ .ai_family = AF_INET,
                               .ai_socktype = SOCK_STREAM,
                               .ai_addrlen = sizeof *peer,
                               .ai_addr = (struct sockaddr *) peer };
    return info;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found)
{
    int n = atomic_fetch_add(&looks, 1);

    (void) hints;
    if (strcmp(name, "both.test") == 0) {
        *found = one("127.0.0.1", service);
        (*found)->ai_next = one(ALLOWED, service);
        return 0;
    }
    if (strcmp(name, "rebind.test") != 0 || !answers[n])
        return EAI_NONAME;
    *found = one(answers[n], service);
    return 0;
}

void freeaddrinfo(struct addrinfo *info)
{
    while (info) {
        struct addrinfo *next = info->ai_next;

        free(info);
        info = next;
    }
}

/* A receiver at an address of this machine, or -1 if the port is in use; a port of 0 is chosen. */
static int listen_at(const char *address, uint16_t *port)
{
    struct sockaddr_in own = { .sin_family = AF_INET, .sin_port = htons(*port) };
    socklen_t n = sizeof own;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    inet_pton(AF_INET, address, &own.sin_addr);
    if (fd < 0 || bind(fd, (struct sockaddr *) &own, n) < 0 || listen(fd, 9) < 0 ||
        getsockname(fd, (struct sockaddr *) &own, &n) < 0) {
        close(fd);
        return -1;
    }
    *port = ntohs(own.sin_port);
    return fd;
}

/*
 * Two receivers on one port. The port that the kernel chooses for the first may be in use at the
 * address of the second, by another test that listens at all addresses: then another is tried.
 */
static uint16_t listen_at_both(int *inside, int *outside)
{
    for (int tries = 0; tries < 100; tries++) {
        uint16_t port = 0;

        *inside = listen_at("127.0.0.1", &port);
        *outside = *inside < 0 ? -1 : listen_at(ALLOWED, &port);
        if (*outside >= 0)
            return port;
        if (*inside >= 0)
            close(*inside);
    }
    printf("Bail out! no port is free at both addresses\n");
    exit(1);
}

/* Whether somebody has called; answers 200 and hangs up. */
static bool was_called(int listener)
{
    static const char reply[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    int call = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    char request[4096];

    if (call < 0)
        return false;
    if (recv(call, request, sizeof request, 0) <= 0 ||
        send(call, reply, sizeof reply - 1, MSG_NOSIGNAL) < 0)
        printf("# the caller hung up\n");
    close(call);
    return true;
}

static int start(const char *first, const char *second)
{
    static struct transfer_rules rules;
    struct webhook_terms terms = { .http = true, .timeout_ms = 5000, .allowed = ALLOWED, .ca = "" };
    struct err err;
    int pair[2];

    answers[0] = first;
    answers[1] = second;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        exit(1);
    fflush(stdout);
    if (fork() == 0) {
        close(pair[0]);
        if (delivery_loop_rules(&terms, &rules, &err) == 0)
            delivery_loop_run(pair[1], &rules, &err);
        _exit(0);
    }
    close(pair[1]);
    return pair[0];
}

static void request(int sock, uint64_t ticket, const char *host, uint16_t port)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    char url[100];
    struct webhook_request order = {
        .ticket = ticket, .url = url, .headers = "X-A: b\nX-C: d", .body = "{}"
    };
    struct err err;

    order.body_bytes = 2;
    snprintf(url, sizeof url, "http://%s:%d/", host, port);
    if (webhook_request_pack(&order, &text, &err) < 0 ||
        message_send(sock, text.data, text.len, NULL, 0, &err) < 0)
        printf("# %s\n", err.msg);
}

static struct webhook_response answer(int sock)
{
    struct webhook_response got = { .end = WEBHOOK_ENDS };
    char packet[sizeof got];
    ssize_t n = recv(sock, packet, sizeof packet, 0);

    if (n < 0 || !webhook_response_read(packet, (size_t) n, &got))
        printf("# no answer\n");
    return got;
}

/* Serves the one call that is under way, then takes its answer. */
static struct webhook_response answer_of(int sock, int listener)
{
    struct pollfd call = { .fd = listener, .events = POLLIN };

    if (poll(&call, 1, 10000) != 1 || !was_called(listener))
        printf("# nobody calls\n");
    return answer(sock);
}

static void test_names(int inside, int outside, uint16_t port)
{
    int sock = start("127.0.0.1", NULL);
    struct webhook_response got;

    request(sock, 7, "rebind.test", port);
    got = answer(sock);
    ok(got.ticket == 7 && got.end == WEBHOOK_NO_HOST && got.forbidden,
       "a name that resolves to a forbidden address is not called");
    request(sock, 8, "unknown.test", port);
    got = answer(sock);
    ok(got.end == WEBHOOK_NO_HOST && !got.forbidden, "a name that does not resolve is not called");
    request(sock, 9, "127.0.0.1", port);
    is_int(answer(sock).end, WEBHOOK_NO_HOST, "a forbidden address itself is not called");
    ok(!was_called(inside), "the forbidden receiver got no connection");
    request(sock, 10, "both.test", port);
    got = answer_of(sock, outside);
    ok(got.end == WEBHOOK_ANSWERED && got.http_status == 200,
       "of two addresses of a name the allowed one is called");
    ok(!was_called(inside), "of two addresses of a name the forbidden one is not called");
    close(sock);
    wait(NULL);
}

static void test_rebinding(int inside, int outside, uint16_t port)
{
    /* libcurl remembers a name for a minute: a second loop stands for a later look. */
    int sock = start(ALLOWED, NULL);
    struct webhook_response got;

    request(sock, 1, "rebind.test", port);
    got = answer_of(sock, outside);
    is_int(got.http_status, 200, "a name that resolves to an allowed address is called");
    close(sock);
    wait(NULL);
    sock = start("127.0.0.1", ALLOWED);
    request(sock, 2, "rebind.test", port);
    got = answer(sock);
    ok(got.end == WEBHOOK_NO_HOST && got.forbidden,
       "a name that later resolves to a forbidden address is not called");
    ok(!was_called(inside), "the receiver at the later address got no connection");
    close(sock);
    wait(NULL);
}

static void test_terms(void)
{
    static struct transfer_rules rules;
    struct webhook_terms terms = { .allowed = "10.0.0.0/33", .ca = "" };
    struct err err;
    int sock = start(ALLOWED, NULL);

    is_int(delivery_loop_rules(&terms, &rules, &err), -1, "malformed networks are refused");
    terms = (struct webhook_terms){ .allowed = "", .ca = "/no/such/file" };
    is_int(delivery_loop_rules(&terms, &rules, &err), -1, "missing certificate files are refused");
    send(sock, "not a request", 12, 0);
    is_int(recv(sock, &terms, sizeof terms, 0), 0,
           "a delivery loop that receives a malformed message ends");
    close(sock);
    wait(NULL);
}

int main(void)
{
    int inside, outside;
    uint16_t port = listen_at_both(&inside, &outside);

    test_names(inside, outside, port);
    test_rebinding(inside, outside, port);
    test_terms();
    close(inside);
    close(outside);
    return done_testing();
}
