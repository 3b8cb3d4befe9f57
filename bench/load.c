/*
 * load: a cheap HTTP client that keeps many connections busy from one thread, so that what is
 * measured is the server. Prints one line of JSON.
 *
 *     load MODE ADDRESS:PORT CLIENTS SECONDS FILE [API_KEY]
 *
 *     jobs     submit, wait until completed, download; one after the other on each connection
 *     accepts  submit only; counts 202
 *     direct   submit to a server that answers with the result itself
 *     idle     one request on each connection, then "ready", then nothing until stdin ends
 *
 * The first tenth of SECONDS is warm-up: it is in "all", which counts what the CPU time was for,
 * but not in "n", the rate and the times. SECONDS 0: once on each connection.
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
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/scope.h"
#include "times.h"

#define MAX_TIMES 2000000
#define HEAD      4096
#define BOUNDARY  "platen-bench-boundary"
#define PART_HEAD                                                                                  \
    "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"degrees\"\r\n\r\n90\r\n"             \
    "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"small.pdf\"\r\n"  \
    "Content-Type: application/pdf\r\n\r\n"
#define PART_TAIL "\r\n--" BOUNDARY "--\r\n"

enum mode { JOBS, ACCEPTS, DIRECT, IDLE };
enum step { SUBMIT, WAIT, DOWNLOAD, LOOK, RESTING };

struct connection {
    int fd;
    enum step step;
    double began; /* the job, in milliseconds */
    double accepted, completed;
    char request[HEAD];
    struct iovec out[4];
    size_t n_out;
    char answer[HEAD]; /* the head and as much of the body as there is room for */
    size_t got;        /* bytes of it */
    size_t head;       /* length of its head; 0: not in yet */
    size_t body;       /* bytes of the body still to come */
};

static struct {
    enum mode mode;
    const char *host, *key;
    struct sockaddr_in address;
    struct iovec file;
    int epoll;
    size_t n_connections, resting;
    double from, until; /* what is counted */
    bool once;
} load;

/* Milliseconds from the first byte sent to the 202, to the answer that the job is completed, to the
 * end of the download; of the jobs that count. */
static struct {
    double accepted[MAX_TIMES], completed[MAX_TIMES], whole[MAX_TIMES];
    size_t n, all;
    double last;
} seen;

static double now_ms(void)
{
    return times_now(CLOCK_MONOTONIC);
}

static _Noreturn void give_up(const char *what, const char *detail)
{
    fprintf(stderr, "load: %s: %.400s\n", what, detail);
    exit(1);
}

static void begin_request(struct connection *c, enum step step, size_t length)
{
    static const char part_head[] = PART_HEAD, part_tail[] = PART_TAIL;

    if (length >= sizeof c->request)
        give_up("request", "its head is too long");
    c->step = step;
    c->got = c->head = c->body = 0;
    c->n_out = step == SUBMIT ? 4 : 1;
    c->out[0] = (struct iovec){ c->request, length };
    c->out[1] = (struct iovec){ (void *) (uintptr_t) part_head, sizeof part_head - 1 };
    c->out[2] = load.file;
    c->out[3] = (struct iovec){ (void *) (uintptr_t) part_tail, sizeof part_tail - 1 };
}

static void begin_submit(struct connection *c)
{
    int length = snprintf(c->request, sizeof c->request,
                          "POST /api/v1/tools/pdf/rotate HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n"
                          "Content-Type: multipart/form-data; boundary=" BOUNDARY "\r\n"
                          "Content-Length: %zu\r\n\r\n",
                          load.host, load.key,
                          sizeof PART_HEAD - 1 + load.file.iov_len + sizeof PART_TAIL - 1);

    c->began = now_ms();
    begin_request(c, SUBMIT, (size_t) length);
}

static void begin_get(struct connection *c, enum step step, const char *path, int n)
{
    int length = snprintf(c->request, sizeof c->request,
                          "GET %.*s HTTP/1.1\r\nHost: %s\r\nX-API-Key: %s\r\n\r\n", n, path,
                          load.host, load.key);

    begin_request(c, step, (size_t) length);
}

/* The text of a member of the answer's JSON, which is flat and escapes nothing we look for. */
static const char *member(const struct connection *c, const char *name, int *n)
{
    char wanted[64];
    const char *at;

    snprintf(wanted, sizeof wanted, "\"%s\":\"", name);
    at = strstr(c->answer + c->head, wanted);
    if (!at)
        give_up("no such member in the answer", c->answer);
    at += strlen(wanted);
    *n = (int) strcspn(at, "\"");
    return at;
}

static void count_job(const struct connection *c)
{
    double now = now_ms();

    seen.all++;
    if (now < load.from || now > load.until || seen.n == MAX_TIMES)
        return;
    seen.last = now;
    seen.accepted[seen.n] = c->accepted - c->began;
    seen.completed[seen.n] = c->completed - c->began;
    seen.whole[seen.n++] = now - c->began;
}

static void rest(struct connection *c)
{
    c->step = RESTING;
    load.resting++;
}

static void end_job(struct connection *c)
{
    count_job(c);
    if (load.once || now_ms() > load.until)
        rest(c);
    else
        begin_submit(c);
}

static void expect(const struct connection *c, int status, int wanted)
{
    if (status != wanted)
        give_up("unexpected answer", c->answer);
}

/* The whole answer is in: what comes next on this connection. */
static void on_answer(struct connection *c)
{
    int status = (int) strtol(c->answer + 9, NULL, 10), n;
    const char *text;
    char path[256];

    switch (c->step) {
    case SUBMIT:
        c->accepted = c->completed = now_ms();
        expect(c, status, load.mode == DIRECT ? 200 : 202);
        if (load.mode != JOBS) {
            end_job(c);
            return;
        }
        text = member(c, "jobId", &n);
        n = snprintf(path, sizeof path, "/api/v1/jobs/%.*s?wait=60", n, text);
        begin_get(c, WAIT, path, n);
        return;
    case WAIT:
        c->completed = now_ms();
        expect(c, status, 200);
        text = member(c, "downloadUrl", &n);
        text = strstr(text, "/api/"); /* behind scheme and host */
        begin_get(c, DOWNLOAD, text, (int) strcspn(text, "\""));
        return;
    case DOWNLOAD:
        expect(c, status, 200);
        if (strncmp(c->answer + c->head, "%PDF-", 5) != 0)
            give_up("no PDF", c->answer);
        end_job(c);
        return;
    case LOOK:
        expect(c, status, 200);
        rest(c);
        return;
    case RESTING:
        give_up("an answer nobody asked for", c->answer);
    }
}

/* Looks whether the head is in, and how long the body is. */
static void find_head(struct connection *c)
{
    const char *end = strstr(c->answer, "\r\n\r\n"), *length;
    size_t have;

    if (!end)
        return;
    length = strcasestr(c->answer, "\r\nContent-Length:");
    if (!length || length > end)
        give_up("no length", c->answer);
    c->head = (size_t) (end + 4 - c->answer);
    c->body = strtoul(length + sizeof "\r\nContent-Length:" - 1, NULL, 10);
    have = c->got - c->head;
    if (have > c->body)
        give_up("more than one answer", c->answer);
    c->body -= have;
}

static void receive(struct connection *c)
{
    static char rest_of_body[1 << 18];
    size_t room = sizeof c->answer - 1 - c->got;
    bool keep = room > 0;
    ssize_t n =
        recv(c->fd, keep ? c->answer + c->got : rest_of_body, keep ? room : sizeof rest_of_body, 0);

    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0)
        give_up("connection", n < 0 ? strerror(errno) : "closed by the server");
    if (keep) {
        c->got += (size_t) n;
        c->answer[c->got] = '\0';
    }
    if (c->head)
        c->body -= (size_t) n;
    else
        find_head(c);
    if (c->head && c->body == 0)
        on_answer(c);
}

/* Sends what the socket takes; asks to be told when it takes more. */
static void transmit(struct connection *c)
{
    struct msghdr message = { .msg_iov = c->out, .msg_iovlen = c->n_out };
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };
    ssize_t sent = sendmsg(c->fd, &message, MSG_NOSIGNAL);

    if (sent < 0 && errno != EAGAIN)
        give_up("send", strerror(errno));
    for (size_t i = 0; i < c->n_out && sent > 0; i++) {
        size_t n = (size_t) sent < c->out[i].iov_len ? (size_t) sent : c->out[i].iov_len;

        c->out[i].iov_base = (char *) c->out[i].iov_base + n;
        c->out[i].iov_len -= n;
        sent -= (ssize_t) n;
    }
    while (c->n_out && c->out[c->n_out - 1].iov_len == 0)
        c->n_out--;
    if (c->n_out)
        event.events |= EPOLLOUT;
    epoll_ctl(load.epoll, EPOLL_CTL_MOD, c->fd, &event);
}

static void on_event(struct connection *c, uint32_t events)
{
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        receive(c);
    if (c->n_out)
        transmit(c);
}

static void open_connection(struct connection *c)
{
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };
    int one = 1;

    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *) &load.address, sizeof load.address) < 0)
        give_up("connect", strerror(errno));
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    epoll_ctl(load.epoll, EPOLL_CTL_ADD, c->fd, &event);
    if (load.mode == IDLE)
        begin_get(c, LOOK, "/healthz", 8);
    else
        begin_submit(c);
    transmit(c);
}

static void serve(size_t enough)
{
    struct epoll_event events[64];

    while (load.resting < enough) {
        int n = epoll_wait(load.epoll, events, COUNT(events), 60000);

        if (n <= 0)
            give_up("epoll", n < 0 ? strerror(errno) : "no answer for a minute");
        for (int i = 0; i < n; i++)
            on_event(events[i].data.ptr, events[i].events);
    }
}

static void report_times(const char *name, double *times)
{
    times_sort(times, seen.n);
    printf("\"%s_p50\": %.3f, \"%s_p95\": %.3f, ", name, times_percentile(times, seen.n, 50), name,
           times_percentile(times, seen.n, 95));
}

static void report(void)
{
    double until = load.once ? seen.last : load.until;

    if (seen.n == 0)
        give_up("nothing", "no job ended in the time that counts");
    putchar('{');
    report_times("accepted", seen.accepted);
    report_times("completed", seen.completed);
    report_times("whole", seen.whole);
    printf("\"n\": %zu, \"rate\": %.1f, \"all\": %zu, \"client_cpu\": %.4f}\n", seen.n,
           (double) seen.n / (until - load.from) * 1e3, seen.all,
           times_now(CLOCK_PROCESS_CPUTIME_ID) / (double) seen.all);
}

static void open_file(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) < 0)
        give_up(path, strerror(errno));
    load.file.iov_len = (size_t) st.st_size;
    load.file.iov_base = mmap(NULL, load.file.iov_len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (load.file.iov_base == MAP_FAILED)
        give_up(path, strerror(errno));
    close(fd);
}

static void read_address(const char *text)
{
    char host[64];
    const char *colon = strchr(text, ':');

    snprintf(host, sizeof host, "%.*s", colon ? (int) (colon - text) : 0, text);
    load.host = text;
    load.address.sin_family = AF_INET;
    load.address.sin_port = htons((uint16_t) strtoul(colon ? colon + 1 : "0", NULL, 10));
    if (inet_pton(AF_INET, host, &load.address.sin_addr) != 1)
        give_up("address", text);
}

static enum mode read_mode(const char *text)
{
    static const char *const names[] = { "jobs", "accepts", "direct", "idle" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(text, names[i]) == 0)
            return (enum mode) i;
    give_up("mode", text);
}

int main(int argc, char **argv)
{
    struct connection *connections;
    double seconds;

    if (argc < 6)
        give_up("usage", "load MODE ADDRESS:PORT CLIENTS SECONDS FILE [API_KEY]");
    load.mode = read_mode(argv[1]);
    read_address(argv[2]);
    load.n_connections = strtoul(argv[3], NULL, 10);
    seconds = strtod(argv[4], NULL);
    open_file(argv[5]);
    load.key = argc > 6 ? argv[6] : "";
    load.once = seconds <= 0;
    load.from = now_ms() + seconds * 100;
    load.until = load.once ? 1e300 : now_ms() + seconds * 1000;
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    connections = calloc(load.n_connections, sizeof *connections);
    if (load.epoll < 0 || !connections)
        give_up("start", strerror(errno));
    for (size_t i = 0; i < load.n_connections; i++)
        open_connection(&connections[i]);
    serve(load.n_connections);
    if (load.mode == IDLE) {
        puts("ready");
        fflush(stdout);
        while (getchar() != EOF)
            ;
    } else {
        report();
    }
    free(connections);
    return 0;
}
