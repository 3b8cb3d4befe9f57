/*
 * requests: answers every request of a page from the files of its job, or with what the server
 * fetches for it (parts.h), and keeps what was missing. Nothing that a page asks for goes anywhere
 * else: Chromium has no sockets.
 */
#pragma once

#include <stddef.h>

#include "engine/browser/assets.h"
#include "engine/browser/devtools.h"
#include "engine/browser/parts.h"

struct missing {
    char *address, *why;
    bool font; /* it counts only if a font of the page was not loaded in the end */
};

struct requests {
    struct devtools *devtools;
    struct assets *assets; /* NULL: the server fetches the page, by `parts` */
    struct parts parts;
    const char *frame; /* the id of the page's own frame */
    char *fault;       /* why the page itself could not be fetched; NULL: it could */
    size_t refused;    /* number of requests of methods that are not sent, of streams */
    char first_refused[200];
    struct missing *missing;
    size_t n_missing, cap;
    size_t open, answered; /* number of requests that wait for an answer, and that got one */
    bool started;          /* the page itself was asked for */
};

/* To be called before the first request, unless there are assets: the server's socket. */
void requests_fetch(struct requests *requests, int sock);
void requests_free(struct requests *requests);
/* Answers a Fetch.requestPaused event. */
void requests_answer(struct requests *requests, const char *session, const json_t *params);
/* Adds a part of the page that is missing, once. */
void requests_miss(struct requests *requests, const char *address, const char *why, bool font);
