#include "sandbox/worker/page_errand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "base/system/log.h"

static const char *param_of(const struct worker_job *job, const char *name)
{
    for (size_t i = 0; i < job->n_params; i++)
        if (strcmp(job->params[i].name, name) == 0)
            return job->params[i].value;
    return NULL;
}

size_t page_errand_params(const struct worker_job *job, struct param_input *out)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n_params; i++)
        if (strcmp(job->params[i].name, "headers") != 0 &&
            strcmp(job->params[i].name, "cookies") != 0)
            out[n++] = job->params[i];
    return n;
}

int page_errand_open(struct page_errand *errand, const struct worker_job *job, int *theirs,
                     struct err *err)
{
    const struct page_address page = { param_of(job, "url"), param_of(job, "headers"),
                                       param_of(job, "cookies") };
    int pair[2];

    if (!page.url)
        return err_field(err, ERR_MISSING_FIELD, "url", "the field url is missing");
    errand->service = job->pages;
    errand->job = job->id;
    errand->session = job->pages->begin(job->pages->arg, &page, err);
    if (!errand->session)
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, "socketpair");
    errand->sock = pair[0];
    *theirs = pair[1];
    return 0;
}

/* Whether a piece could be sent now. */
static bool has_news(const struct page_errand *errand)
{
    for (size_t i = 0; i < errand->n; i++)
        if (errand->flights[i].here)
            return true;
    return false;
}

void page_errand_polls(const struct page_errand *errand, struct pollfd polls[PAGE_ERRAND_POLLS])
{
    bool full = errand->n == PAGE_AT_ONCE;

    polls[0] = (struct pollfd){ .fd = errand->sock,
                                .events = (short) ((full ? 0 : POLLIN) |
                                                   (has_news(errand) ? POLLOUT : 0)) };
    polls[1] = (struct pollfd){ .fd = errand->session ? errand->service->fd(errand->session) : -1,
                                .events = POLLIN };
}

static struct page_flight *find_flight(struct page_errand *errand, uint32_t number)
{
    for (size_t i = 0; i < errand->n; i++)
        if (errand->flights[i].number == number)
            return &errand->flights[i];
    return NULL;
}

static void refuse_flight(struct page_flight *flight, const char *why)
{
    snprintf(flight->why, sizeof flight->why, "%s", why);
    flight->here = true;
}

/* Why the page gets no more; NULL: it does. */
static const char *exhausted(const struct page_errand *errand)
{
    if (!errand->session)
        return "the server's program that fetches it has ended";
    if (errand->asked > PAGE_REQUESTS)
        return "the page asked for too many files";
    return errand->bytes >= PAGE_BYTES ? "the files of the page are too large together" : NULL;
}

static void begin_flight(struct page_errand *errand, const struct page_question *question)
{
    struct page_flight *flight = &errand->flights[errand->n++];
    int64_t left = PAGE_BYTES - errand->bytes;
    const char *why;
    struct err err;

    *flight = (struct page_flight){ .number = question->number, .fd = -1 };
    errand->asked++;
    if ((why = exhausted(errand)))
        refuse_flight(flight, why);
    else if (errand->service->ask(errand->session, question,
                                  left < PAGE_PART_BYTES ? left : PAGE_PART_BYTES, &err) < 0)
        refuse_flight(flight, err.msg);
}

static int malformed(struct err *err)
{
    return err_set(err, ERR_INTERNAL, "the job's process sent an invalid request for a page");
}

static int receive_question(struct page_errand *errand, struct err *err)
{
    /* One byte more, to detect packets that are too long. */
    char packet[PAGE_ASK_BYTES + 1];
    ssize_t got = recv(errand->sock, packet, sizeof packet, MSG_DONTWAIT);
    struct page_question question = { 0 };
    struct page_ask ask;
    const char *end, *nul;

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0) { /* the process has ended, which the zygote reports */
        page_errand_close(errand);
        return 0;
    }
    if ((size_t) got <= sizeof ask || (size_t) got > PAGE_ASK_BYTES || packet[got - 1])
        return malformed(err);
    memcpy(&ask, packet, sizeof ask);
    end = packet + got;
    question.url = packet + sizeof ask;
    nul = memchr(question.url, '\0', (size_t) (end - question.url));
    if (nul)
        question.headers = nul + 1;
    if (!nul || question.headers >= end ||
        memchr(question.headers, '\0', (size_t) (end - question.headers)) != end - 1 ||
        ask.head > 1 || find_flight(errand, ask.number))
        return malformed(err);
    question.number = ask.number;
    question.head = ask.head;
    begin_flight(errand, &question);
    return 0;
}

static void lose_session(struct page_errand *errand)
{
    for (size_t i = 0; i < errand->n; i++)
        if (!errand->flights[i].here)
            refuse_flight(&errand->flights[i], "the server's program that fetches it has ended");
    errand->service->end(errand->session);
    errand->session = NULL;
}

static void receive_answers(struct page_errand *errand)
{
    struct page_answer answer;
    struct page_flight *flight;
    struct err err;
    int got = 0;

    while (errand->session &&
           (got = errand->service->receive(errand->session, &answer, &err)) > 0) {
        flight = find_flight(errand, answer.number);
        errand->bytes += answer.bytes;
        errand->forbidden += answer.forbidden;
        if (!flight || flight->here) {
            scope_close(&answer.fd);
        } else if (answer.fd < 0) {
            refuse_flight(flight, answer.why);
        } else {
            flight->fd = answer.fd;
            flight->bytes = answer.bytes;
            flight->here = true;
        }
    }
    if (got < 0) {
        log_warn("page.lost", KV("why", err.msg));
        lose_session(errand);
    }
}

/* Sends the next piece of a response. False: the socket is full, or the process has ended. */
static bool send_piece(const struct page_errand *errand, struct page_flight *flight, bool *last)
{
    char bytes[PAGE_PIECE_BYTES];
    struct page_piece piece = { flight->number, PAGE_PIECE_LAST };
    struct iovec parts[2] = { { &piece, sizeof piece }, { bytes, 0 } };
    struct msghdr packet = { .msg_iov = parts, .msg_iovlen = 2 };
    struct err ignored;
    ssize_t got = 0;

    if (flight->fd < 0) {
        piece.kind = PAGE_PIECE_FAILED;
        parts[1] = (struct iovec){ flight->why, strlen(flight->why) };
    } else if (flight->at < flight->bytes) {
        got = fdio_read_at(flight->fd, bytes, sizeof bytes, flight->at, &ignored);
        piece.kind = got > 0 ? PAGE_PIECE_DATA : PAGE_PIECE_FAILED;
        parts[1].iov_len = got > 0 ? (size_t) got : 0;
    }
    if (sendmsg(errand->sock, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return false;
    flight->at += got > 0 ? got : 0;
    *last = piece.kind != PAGE_PIECE_DATA;
    return true;
}

static void send_pieces(struct page_errand *errand)
{
    bool last;

    for (size_t i = 0; i < errand->n;) {
        if (!errand->flights[i].here) {
            i++;
            continue;
        }
        if (!send_piece(errand, &errand->flights[i], &last))
            return;
        if (last) {
            scope_close(&errand->flights[i].fd);
            errand->flights[i] = errand->flights[--errand->n];
        }
    }
}

int page_errand_step(struct page_errand *errand, const struct pollfd polls[PAGE_ERRAND_POLLS],
                     struct err *err)
{
    if (polls[0].revents & (POLLHUP | POLLERR)) { /* it must not be polled again */
        page_errand_close(errand);
        return 0;
    }
    if (polls[1].revents && errand->session)
        receive_answers(errand);
    if (polls[0].revents && errand->sock >= 0 && errand->n < PAGE_AT_ONCE &&
        receive_question(errand, err) < 0)
        return -1;
    if (errand->sock >= 0)
        send_pieces(errand);
    return 0;
}

void page_errand_close(struct page_errand *errand)
{
    for (size_t i = 0; i < errand->n; i++)
        scope_close(&errand->flights[i].fd);
    errand->n = 0;
    if (errand->sock >= 0)
        log_info("page.fetched", KV("job", errand->job), KV("requests", errand->asked),
                 KV("bytes", errand->bytes), KV("forbidden", errand->forbidden));
    if (errand->session)
        errand->service->end(errand->session);
    errand->session = NULL;
    scope_close(&errand->sock);
    errand->sock = -1;
}
