/* page_errand: what the process of a page may ask, seen from the server. This test is the process.
 */
#include "sandbox/worker/page_errand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "tap.h"

static _Noreturn void give_up(const char *why)
{
    printf("Bail out! %s\n", why);
    exit(1);
}

/* A service that answers when it is told to. */
struct page_session {
    int ready[2]; /* a pipe that is readable while there are answers */
    struct page_question last;
    char url[300], headers[300];
    uint32_t waiting[PAGE_AT_ONCE];
    size_t n, asked;
    int64_t most, bytes; /* limit of the last question; length of each answer */
    bool dead;
};

static struct page_session session;

static struct page_session *begin(void *arg, const struct page_address *page, struct err *err)
{
    (void) arg;
    if (strcmp(page->url, "https://example.com/") != 0 || strcmp(page->headers, "{}") != 0 ||
        strcmp(page->cookies, "a=b") != 0) {
        err_set(err, ERR_INVALID_PARAMETER, "not that one");
        return NULL;
    }
    session = (struct page_session){ .bytes = 3 };
    return pipe(session.ready) == 0 ? &session : NULL;
}

static int ask(struct page_session *s, const struct page_question *question, int64_t most,
               struct err *err)
{
    if (strstr(question->url, "10.0.0.1"))
        return err_set(err, ERR_INVALID_PARAMETER, "its address is refused");
    s->last = *question;
    snprintf(s->url, sizeof s->url, "%s", question->url);
    snprintf(s->headers, sizeof s->headers, "%s", question->headers);
    s->most = most;
    s->asked++;
    s->waiting[s->n++] = question->number;
    return 0;
}

static int ready(const struct page_session *s)
{
    return s->ready[0];
}

static int receive(struct page_session *s, struct page_answer *answer, struct err *err)
{
    struct err ignored;

    if (s->dead)
        return err_set(err, ERR_INTERNAL, "it has ended");
    if (s->n == 0)
        return 0;
    *answer = (struct page_answer){ .number = s->waiting[--s->n],
                                    .fd = fdio_memory_file(&ignored),
                                    .bytes = s->bytes };
    if (ftruncate(answer->fd, s->bytes) < 0)
        return -1;
    return 1;
}

static void end(struct page_session *s)
{
    close(s->ready[0]);
    close(s->ready[1]);
}

static const struct page_service service = { NULL, begin, ask, ready, receive, end };
static const struct param_input params[] = {
    { "url", "https://example.com/" }, { "headers", "{}" }, { "paper", "a4" }, { "cookies", "a=b" }
};
static const struct worker_job job = {
    .id = "test", .params = params, .n_params = COUNT(params), .pages = &service
};

struct pair {
    struct page_errand errand;
    int theirs;
    struct buf data;
};

static void open_pair(struct pair *pair)
{
    struct err err;

    *pair = (struct pair){ .errand = { .sock = -1 }, .theirs = -1, .data = BUF_EMPTY };
    if (page_errand_open(&pair->errand, &job, &pair->theirs, &err) < 0)
        give_up(err.msg);
}

static void close_pair(struct pair *pair)
{
    page_errand_close(&pair->errand);
    scope_close(&pair->theirs);
    buf_free(&pair->data);
}

/* What the server does when it looks once. */
static int look(struct pair *pair)
{
    struct pollfd polls[PAGE_ERRAND_POLLS];
    struct err err;

    page_errand_polls(&pair->errand, polls);
    poll(polls, PAGE_ERRAND_POLLS, 0);
    return page_errand_step(&pair->errand, polls, &err);
}

static void question(struct pair *pair, uint32_t number, const char *url)
{
    const struct page_ask ask = { number, 0 };
    struct err err;

    if (page_ask_send(pair->theirs, &ask, url, "Accept: */*\n", &err) < 0)
        give_up(err.msg);
}

/* The service has answers now. */
static void answer(struct pair *pair)
{
    if (write(session.ready[1], "x", 1) != 1)
        give_up("pipe");
    look(pair);
    if (!session.dead && read(session.ready[0], &(char){ 0 }, 1) != 1)
        give_up("pipe");
}

static struct page_piece piece(struct pair *pair)
{
    struct page_piece got = { 0, PAGE_PIECE_KINDS };
    struct err err;

    if (page_ask_read(pair->theirs, &got, &pair->data, &err) < 0)
        give_up(err.msg);
    return got;
}

static void test_answers(void)
{
    struct pair pair;
    struct page_piece got;

    open_pair(&pair);
    question(&pair, 7, "https://example.com/a.png");
    ok(look(&pair) == 0 && session.asked == 1, "a question is received");
    ok(strcmp(session.url, "https://example.com/a.png") == 0 &&
           strcmp(session.headers, "Accept: */*\n") == 0,
       "with its address and its headers");
    ok(session.most == PAGE_PART_BYTES, "its response may have as many bytes as a part");
    answer(&pair);
    got = piece(&pair);
    ok(got.number == 7 && got.kind == PAGE_PIECE_DATA && pair.data.len == 3, "the response comes");
    ok(piece(&pair).kind == PAGE_PIECE_LAST, "and its end");
    question(&pair, 8, "http://10.0.0.1/");
    look(&pair);
    got = piece(&pair);
    ok(got.kind == PAGE_PIECE_FAILED && strcmp(buf_text(&pair.data), "its address is refused") == 0,
       "what is refused is answered with the reason");
    question(&pair, 9, "https://example.com/b.png");
    look(&pair);
    session.dead = true;
    answer(&pair);
    ok(piece(&pair).kind == PAGE_PIECE_FAILED,
       "so is what the service has not answered when it ends");
    question(&pair, 10, "https://example.com/c.png");
    look(&pair);
    ok(piece(&pair).kind == PAGE_PIECE_FAILED, "and what comes later");
    close_pair(&pair);
}

static void test_bounds(void)
{
    struct pair pair;
    size_t i;

    open_pair(&pair);
    for (i = 0; i < PAGE_REQUESTS; i++) {
        question(&pair, (uint32_t) i, "https://example.com/");
        look(&pair);
        answer(&pair);
        if (piece(&pair).kind != PAGE_PIECE_DATA || piece(&pair).kind != PAGE_PIECE_LAST)
            break;
    }
    ok(i == PAGE_REQUESTS, "a page may ask for so many parts");
    question(&pair, 1, "https://example.com/");
    look(&pair);
    ok(piece(&pair).kind == PAGE_PIECE_FAILED, "and not for another one");
    ok(session.asked == PAGE_REQUESTS, "which the service does not hear of");
    close_pair(&pair);
    open_pair(&pair);
    session.bytes = PAGE_BYTES - 5;
    question(&pair, 1, "https://example.com/");
    look(&pair);
    answer(&pair);
    question(&pair, 2, "https://example.com/");
    look(&pair);
    ok(session.most == 5, "what is left for all of its parts is the limit of the next one");
    close_pair(&pair);
    open_pair(&pair);
    for (i = 0; i < PAGE_AT_ONCE; i++) {
        question(&pair, (uint32_t) i, "https://example.com/");
        look(&pair);
    }
    question(&pair, 99, "https://example.com/");
    look(&pair);
    ok(session.asked == PAGE_AT_ONCE, "a question waits while so many are in flight");
    close_pair(&pair);
}

static bool is_refused(const void *packet, size_t n)
{
    struct pair pair;
    bool refused;

    open_pair(&pair);
    if (write(pair.theirs, packet, n) != (ssize_t) n)
        give_up("socket");
    refused = look(&pair) < 0;
    close_pair(&pair);
    return refused;
}

static void test_rogues(void)
{
    static const char zero[sizeof(struct page_ask)];
    char packet[PAGE_ASK_BYTES + 1];
    struct pair pair;

    ok(is_refused(zero, sizeof zero), "a packet without texts is refused");
    memset(packet, 0, sizeof packet);
    memcpy(packet + sizeof zero, "ab", 2);
    ok(is_refused(packet, sizeof zero + 3), "so is one with one text");
    ok(is_refused(packet, sizeof zero + 5), "or three");
    ok(!is_refused(packet, sizeof zero + 4), "but not one with two");
    ok(is_refused(packet, sizeof zero + 2), "one without the last NUL is refused");
    memset(packet + sizeof zero, 'a', sizeof packet - sizeof zero);
    packet[sizeof packet - 2] = packet[sizeof packet - 1] = '\0';
    ok(is_refused(packet, sizeof packet), "so is one that is too long");
    memset(packet, 0, sizeof packet);
    packet[4] = 2;
    memcpy(packet + sizeof zero, "ab", 2);
    ok(is_refused(packet, sizeof zero + 4), "and a method that is not known");
    open_pair(&pair);
    question(&pair, 5, "https://example.com/");
    look(&pair);
    question(&pair, 5, "https://example.com/");
    ok(look(&pair) < 0, "and the number of a request in flight");
    close_pair(&pair);
    open_pair(&pair);
    scope_close(&pair.theirs);
    ok(look(&pair) == 0 && pair.errand.sock < 0, "the end of the process is not a fault");
    close_pair(&pair);
}

static void test_params(void)
{
    struct param_input known[COUNT(params)];
    size_t n = page_errand_params(&job, known);

    ok(n == 2 && strcmp(known[0].name, "url") == 0 && strcmp(known[1].name, "paper") == 0,
       "the process gets no headers and cookies of the client");
}

int main(void)
{
    test_answers();
    test_bounds();
    test_rogues();
    test_params();
    return done_testing();
}
