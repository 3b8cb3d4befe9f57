/*
 * zygote: the main of a worker program. It is started by the server with a socket as descriptor 3,
 * says what tools it has, and from then on makes one process for every job it is sent. It is
 * single-threaded, never looks into a request and keeps nothing of one. When the server goes away
 * it goes too, and its children with it.
 */
#pragma once

#include <stddef.h>

#include "tool/tool.h"

#define ZYGOTE_CONTROL  3 /* the descriptor */
#define ZYGOTE_PROTOCOL 1 /* of the messages; server and programs of one build go together */

/* `warm`, if not NULL, is called once before the first job: what it makes ready its children find
 * ready. The exit status of the program: 2 if it was not started by the server. */
int zygote_main(const char *name, const struct tool *const *tools, size_t n_tools,
                void (*warm)(void), int argc, char **argv);
