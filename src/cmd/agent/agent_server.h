/*
 * agent_server: a server of this process's own, on the loopback with a key that only this process
 * knows and a data folder that is removed at the end: `platen mcp` without --server runs its jobs
 * by it.
 */
#pragma once

#include <sys/types.h>

#include "cmd/agent/agent_remote.h"

struct agent_server {
    char folder[64]; /* "": none was made */
    pid_t pid;       /* 0: it does not run */
};

/* Starts it and fills `remote`. `settings`: n_settings words of settings for it. Takes the time
 * that a server needs to start. agent_server_end in any case. */
int agent_server_begin(struct agent_server *server, char *const *settings, size_t n_settings,
                       struct agent_remote *remote, struct err *err);
void agent_server_end(struct agent_server *server);
