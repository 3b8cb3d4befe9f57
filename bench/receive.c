/*
 * receive: a cheap receiver of webhooks, one thread with epoll, so that what is measured is who
 * sends them. Answers each POST with 200 and keeps the connection.
 *
 *     receive PORTS COUNT
 *
 * Listens on PORTS ports of 127.0.0.1 and prints them on a line. After COUNT requests prints one
 * line of JSON: how many a second from the first to the last, the connections they came by, and its
 * own CPU time.
 */
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "times.h"

#define HEAD 65536

struct connection {
    int fd;
    bool listens;
    size_t got;
    char request[HEAD];
};

static size_t wanted, received, connections;
static double first, last;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void watch(int epoll, int fd, bool listens)
{
    struct connection *c = calloc(1, sizeof *c);
    struct epoll_event event = { .events = EPOLLIN };

    if (!c)
        fail("calloc");
    event.data.ptr = c;
    c->fd = fd;
    c->listens = listens;
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        fail("epoll_ctl");
}

static void listen_anywhere(int epoll)
{
    struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t n = sizeof own;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *) &own, n) < 0 || listen(fd, 512) < 0 ||
        getsockname(fd, (struct sockaddr *) &own, &n) < 0)
        fail("listen");
    printf("%d ", ntohs(own.sin_port));
    watch(epoll, fd, true);
}

/* Bytes of the whole request that stands first; 0: it is not whole yet. */
static size_t length_of(struct connection *c)
{
    const char *end, *length;
    size_t n;

    c->request[c->got] = '\0';
    end = strstr(c->request, "\r\n\r\n");
    length = end ? strcasestr(c->request, "\r\ncontent-length:") : NULL;
    if (!end || !length || length > end)
        return 0;
    n = (size_t) (end - c->request) + 4 + strtoul(length + 17, NULL, 10);
    return n <= c->got ? n : 0;
}

static void serve(int epoll, struct connection *c)
{
    static const char reply[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    ssize_t got;
    size_t n;

    if (c->listens) {
        int fd = accept4(c->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

        if (fd >= 0) {
            watch(epoll, fd, false);
            connections++;
        }
        return;
    }
    got = recv(c->fd, c->request + c->got, HEAD - 1 - c->got, 0);
    if (got <= 0) {
        close(c->fd);
        free(c);
        return;
    }
    c->got += (size_t) got;
    while ((n = length_of(c)) > 0) {
        memmove(c->request, c->request + n, c->got - n);
        c->got -= n;
        last = times_now(CLOCK_MONOTONIC);
        if (received++ == 0)
            first = last;
        if (send(c->fd, reply, sizeof reply - 1, MSG_NOSIGNAL) < 0)
            perror("send");
    }
}

int main(int argc, char **argv)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event events[64];

    if (argc != 3 || epoll < 0) {
        fputs("receive PORTS COUNT\n", stderr);
        return 2;
    }
    wanted = strtoul(argv[2], NULL, 10);
    for (unsigned long i = strtoul(argv[1], NULL, 10); i > 0; i--)
        listen_anywhere(epoll);
    putchar('\n');
    fflush(stdout);
    while (received < wanted) {
        int n = epoll_wait(epoll, events, 64, -1);

        for (int i = 0; i < n; i++)
            serve(epoll, events[i].data.ptr);
    }
    printf("{\"n\": %zu, \"rate\": %.1f, \"connections\": %zu, \"cpu\": %.3f}\n", received,
           (double) received / (last - first) * 1e3, connections,
           times_now(CLOCK_PROCESS_CPUTIME_ID) / (double) received);
    return 0;
}
