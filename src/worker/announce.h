/*
 * announce: what a zygote says to the server of its own accord, one JSON object a message. First
 * either its hello,
 *
 *     {"program": "platen-worker", "protocol": 1, "layers": "...", "tools": [...], "trials": false}
 *
 * or {"protocol": 1, "absent": "why"}. With trials, when they have ended, and again after each time
 * it started itself anew: {"ready": true, "why": ""}.
 */
#pragma once

#include <stdbool.h>

#include "worker/child.h"

/* Prints {"tools": [...]} on standard output, for those who only want to know (worker/declared.h).
 */
int announce_tools(const struct tool *const *tools, size_t n, struct err *err);

int announce_hello(const char *name, const struct child_place *place, bool trials, struct err *err);
int announce_absent(const char *why, struct err *err);
/* `why_not`: NULL if it is ready. */
int announce_ready(const char *why_not, struct err *err);
