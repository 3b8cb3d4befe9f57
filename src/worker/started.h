/* started: a program that works for the server is of no use without it. */
#pragma once

#include <stdbool.h>

/* Whether the server started this program, with its socket as ZYGOTE_CONTROL; else tells so to
 * whoever did. */
bool started_by_server(const char *name);
