/*
 * devtools: a conversation with Chromium by the DevTools protocol, over two pipes: JSON objects,
 * each followed by a NUL. Chromium shows a hostile document, so that what it says is not trusted
 * either. If it ends, this process ends without a report: the job then gets another attempt.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define DEVTOOLS_MESSAGE (256U << 20) /* limit of one message in bytes */

struct devtools {
    int from, to; /* pipes, borrowed */
    struct buf in;
    size_t searched; /* bytes of `in` without a NUL */
    long long number;
    int64_t until_ms; /* when a command must have been answered, by clock_mono_ms */
    /* Called for each event. May call devtools_send, but nothing that waits. `session` may be "".
     */
    void (*event)(void *arg, const char *session, const char *method, json_t *params);
    void *arg;
    /* A descriptor that is waited for, too, and what is called when it is readable, which may do
     * what `event` may; -1: none. */
    int other;
    void (*readable)(void *arg);
};

/* `jobs`: the number of jobs that have talked to this Chromium before, at most 100. What is left of
 * answers to them has other numbers than those to this one. */
void devtools_open(struct devtools *devtools, const int ends[static 2], unsigned jobs);
void devtools_close(struct devtools *devtools);

/* Sends a command without waiting for its answer, and takes ownership of `params`. `session`: ""
 * for the browser itself. Returns the number of the command. */
long long devtools_send(struct devtools *devtools, const char *session, const char *method,
                        json_t *params);
/* Sends a command and returns its result, which the caller owns, after all events before it were
 * handled. NULL: Chromium refused, and err has its words; or ERR_LIMIT_EXCEEDED after
 * until_ms. */
json_t *devtools_call(struct devtools *devtools, const char *session, const char *method,
                      json_t *params, struct err *err);
/* Waits for messages up to that time (clock_mono_ms), and handles at least one event or returns
 * false. */
bool devtools_wait(struct devtools *devtools, int64_t until_ms);

/* Writes what Chromium sent as base64 to a descriptor. */
int devtools_write(const json_t *base64, int out, struct err *err);
/* A member of an object as text, "" if it has none. Borrowed. */
const char *devtools_text(const json_t *object, const char *name);
