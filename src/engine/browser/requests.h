/*
 * requests: answers every request of a page from the files of its job, and keeps what was missing.
 * Nothing that a page asks for goes anywhere else: Chromium has no sockets.
 */
#pragma once

#include <stddef.h>

#include "engine/browser/assets.h"
#include "engine/browser/devtools.h"

struct missing {
    char *address, *why;
    bool font; /* it counts only if a font of the page was not loaded in the end */
};

struct requests {
    struct devtools *devtools;
    struct assets *assets;
    struct missing *missing;
    size_t n_missing, cap;
    size_t open, answered; /* number of requests that wait for an answer, and that got one */
    bool started;          /* the page itself was asked for */
};

void requests_free(struct requests *requests);
/* Answers a Fetch.requestPaused event. */
void requests_answer(struct requests *requests, const char *session, const json_t *params);
/* Adds a part of the page that is missing, once. */
void requests_miss(struct requests *requests, const char *address, const char *why, bool font);
