/*
 * listen: many event streams of one job and, beside them, clients that poll it as fast as they are
 * answered; from one thread, so that what is measured is the server. Prints a line of JSON when the
 * time is up and another when every stream has heard of the job's end.
 *
 *     listen ADDRESS:PORT STREAMS CLIENTS SECONDS JOB API_KEY
 *
 * "ready" is printed when all streams are open. The first tenth of SECONDS is warm-up: it is in
 * "all", which counts what the CPU time was for, but not in the rate and the times.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"
#include "times.h"

#define MAX_TIMES 2000000
#define END_MS    60000 /* what the end of the job is waited for */

struct connection {
    int fd;
    bool streams; /* else it polls */
    bool told;    /* a stream: what it waits for has come */
    double began; /* a poll, in milliseconds */
    char answer[4096];
    size_t got;
};

static struct {
    struct sockaddr_in address;
    const char *host;
    char poll[1024], stream[1024]; /* the requests */
    int epoll;
    size_t n_streams, n_clients;
    size_t told;
    const char *awaited; /* by the streams */
    double from, until;
} load;

static struct {
    double times[MAX_TIMES];
    size_t n, all;
    double first, last; /* when a stream heard */
} seen;

static double now_ms(void)
{
    return times_now(CLOCK_MONOTONIC);
}

static _Noreturn void give_up(const char *what, const char *detail)
{
    fprintf(stderr, "listen: %s: %.400s\n", what, detail);
    exit(1);
}

static void ask(struct connection *c)
{
    const char *request = c->streams ? load.stream : load.poll;
    size_t n = strlen(request);

    c->got = 0;
    c->began = now_ms();
    if (send(c->fd, request, n, MSG_NOSIGNAL) != (ssize_t) n)
        give_up("send", strerror(errno));
}

static void start(struct connection *c, bool streams)
{
    int yes = 1;
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };

    c->streams = streams;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (void *) &load.address, sizeof load.address) < 0)
        give_up("connect", strerror(errno));
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    epoll_ctl(load.epoll, EPOLL_CTL_ADD, c->fd, &event);
    ask(c);
}

/* What came, behind what is there; a stream keeps only its newest part. */
static bool receive(struct connection *c)
{
    ssize_t n;

    if (c->got > sizeof c->answer / 2 && c->streams) {
        memmove(c->answer, c->answer + c->got - 64, 64);
        c->got = 64;
    }
    n = recv(c->fd, c->answer + c->got, sizeof c->answer - 1 - c->got, 0);
    if (n < 0 && errno == EAGAIN)
        return false;
    if (n <= 0)
        give_up("a connection was closed", c->answer);
    c->got += (size_t) n;
    c->answer[c->got] = '\0';
    return true;
}

static void hear(struct connection *c)
{
    if (c->told || !strstr(c->answer, load.awaited))
        return;
    c->told = true;
    load.told++;
    seen.last = now_ms();
    if (load.told == 1)
        seen.first = seen.last;
}

static void take_answer(struct connection *c)
{
    const char *head = strstr(c->answer, "\r\n\r\n"), *length;
    double now = now_ms();

    if (!head)
        return;
    length = strcasestr(c->answer, "Content-Length:");
    if (strncmp(c->answer, "HTTP/1.1 200", 12) != 0 || !length)
        give_up("answer", c->answer);
    if (c->got < (size_t) (head + 4 - c->answer) + strtoul(length + 15, NULL, 10))
        return;
    seen.all++;
    if (now >= load.from && now <= load.until && seen.n < MAX_TIMES)
        seen.times[seen.n++] = now - c->began;
    if (now < load.until)
        ask(c);
}

/* Until `until`, or until all streams have heard. */
static void serve(double until, bool till_told)
{
    struct epoll_event events[256];
    double now;

    while ((now = now_ms()) < until && !(till_told && load.told == load.n_streams)) {
        int n = epoll_wait(load.epoll, events, COUNT(events), (int) (until - now) + 1);

        for (int i = 0; i < n; i++) {
            struct connection *c = events[i].data.ptr;

            if (!c->told && !receive(c))
                continue;
            if (c->streams)
                hear(c);
            else
                take_answer(c);
            if (c->streams && c->told && till_told)
                epoll_ctl(load.epoll, EPOLL_CTL_DEL, c->fd, NULL);
        }
    }
}

static void open_streams(struct connection *all)
{
    load.awaited = "event: progress";
    for (size_t i = 0; i < load.n_streams; i++) {
        start(&all[i], true);
        if (i % 64 == 63)
            serve(now_ms() + 1, false);
    }
    serve(now_ms() + END_MS, true);
    if (load.told < load.n_streams)
        give_up("streams", "not all of them began");
    for (size_t i = 0; i < load.n_streams; i++) {
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = &all[i] };

        all[i].told = false;
        all[i].got = 0;
        epoll_ctl(load.epoll, EPOLL_CTL_ADD, all[i].fd, &event);
    }
    load.told = 0;
    load.awaited = "event: completed";
    printf("ready\n");
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double share(double part)
{
    return seen.n ? seen.times[(size_t) (part * (double) (seen.n - 1))] : 0;
}

static void poll_for(struct connection *all, double seconds)
{
    double begin = now_ms();

    load.from = begin + seconds * 100;
    load.until = begin + seconds * 1000;
    for (size_t i = 0; i < load.n_clients; i++)
        start(&all[load.n_streams + i], false);
    serve(load.until + 200, false);
    qsort(seen.times, seen.n, sizeof *seen.times, compare);
    printf("{\"polls\": %.0f, \"all\": %zu, \"p50\": %.3f, \"p95\": %.3f, \"p99\": %.3f}\n",
           (double) seen.n / (load.until - load.from) * 1e3, seen.all, share(0.5), share(0.95),
           share(0.99));
}

static void read_words(char **argv)
{
    char address[64];
    char *colon;

    snprintf(address, sizeof address, "%s", argv[1]);
    colon = strchr(address, ':');
    if (!colon)
        give_up("address", argv[1]);
    *colon = '\0';
    load.address.sin_family = AF_INET;
    load.address.sin_port = htons((uint16_t) strtoul(colon + 1, NULL, 10));
    inet_pton(AF_INET, address, &load.address.sin_addr);
    load.n_streams = strtoul(argv[2], NULL, 10);
    load.n_clients = strtoul(argv[3], NULL, 10);
    snprintf(load.poll, sizeof load.poll,
             "GET /api/v1/jobs/%s HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n\r\n", argv[5], argv[1],
             argv[6]);
    snprintf(load.stream, sizeof load.stream,
             "GET /api/v1/jobs/%s/events HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n"
             "Accept: text/event-stream\r\n\r\n",
             argv[5], argv[1], argv[6]);
}

int main(int argc, char **argv)
{
    struct connection *all;

    if (argc != 7)
        give_up("usage", "listen ADDRESS:PORT STREAMS CLIENTS SECONDS JOB API_KEY");
    read_words(argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    all = calloc(load.n_streams + load.n_clients, sizeof *all);
    if (load.epoll < 0 || !all)
        give_up("memory", strerror(errno));
    open_streams(all);
    poll_for(all, strtod(argv[4], NULL));
    serve(now_ms() + END_MS, true);
    printf("{\"told\": %zu, \"firstToLastMs\": %.1f}\n", load.told, seen.last - seen.first);
    free(all);
    return 0;
}
