/*
 * announce: messages that a zygote sends to the server unasked, one JSON object each. The first is
 * its hello,
 *     {"program": "platen-worker", "protocol": 1, "layers": "...", "tools": [...], "trials": false}
 * or {"protocol": 1, "absent": "why"}. "layers" names the layers of the sandbox that work here
 * (sandbox_layers), and "trials" says whether the program runs self-tests. If it does, a second
 * message follows when they have ended, and again after each restart of the program by itself:
 *     {"ready": true, "why": ""}
 */
#pragma once

#include <stdbool.h>

#include "sandbox/zygote/child.h"

/* Prints {"tools": [...]} to standard output (sandbox/worker/declared.h). */
int announce_tools(const struct tool *const *tools, size_t n, struct err *err);

/* Send the hello of a program with its sandbox and tools, or of one that cannot work here. */
int announce_hello(const char *name, const struct child_place *place, bool trials, struct err *err);
int announce_absent(const char *why, struct err *err);
/* Says that the self-tests have ended. `why_not`: why one has failed; NULL: the program is ready.
 */
int announce_ready(const char *why_not, struct err *err);
