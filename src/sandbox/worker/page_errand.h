/*
 * page_errand: the server's side of the questions of a job's process that shows a page of the web
 * (sandbox/protocol/page_ask.h). Only jobs of tools that declare `fetches` have one. It bounds what
 * a page may ask for, and never waits.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>

#include "declare/tool_run/page_service.h"
#include "sandbox/protocol/page_ask.h"
#include "sandbox/protocol/worker_job.h"

struct page_errand {
    const struct page_service *service;
    struct page_session *session;
    int sock;        /* our end; -1: the job may not ask, or has ended */
    const char *job; /* for the log */
    size_t asked, forbidden;
    int64_t bytes;
    size_t n; /* number of requests in flight, with those whose responses are being sent */
    struct page_flight {
        uint32_t number;
        bool here;         /* the request ended: its response, or `why`, can be sent */
        int fd;            /* of the response; -1: none */
        int64_t at, bytes; /* how much of it was sent */
        char why[256];     /* why the request failed, if fd is -1 */
    } flights[PAGE_AT_ONCE];
};

#define PAGE_ERRAND_POLLS 2

/* Begins the session and makes the socket. The caller owns the process's end in *theirs. */
int page_errand_open(struct page_errand *errand, const struct worker_job *job, int *theirs,
                     struct err *err);
/* What is to be polled; descriptors are -1 if there is nothing. */
void page_errand_polls(const struct page_errand *errand, struct pollfd polls[PAGE_ERRAND_POLLS]);
/* Handles what the polls found. -1: the process does what it may not. */
int page_errand_step(struct page_errand *errand, const struct pollfd polls[PAGE_ERRAND_POLLS],
                     struct err *err);
/* Ends all requests. May be called on one that was never opened but has sock -1. */
void page_errand_close(struct page_errand *errand);
/* Copies the parameters of a job but for what its process must not know: headers and cookies.
 * Returns their number. `out` has room for all. */
size_t page_errand_params(const struct worker_job *job, struct param_input *out);
