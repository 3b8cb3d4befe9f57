/* agent_remote: the server that `platen mcp` hands messages and files to, over HTTP. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define AGENT_URL 600

struct agent_remote {
    char url[AGENT_URL]; /* "https://host:port", without a slash at its end */
    char key[200];
};

/* Header lines ("Name: value") of a message; NULL: none. */
struct agent_lines {
    const char *lines[3];
};

/* Sends a message to /mcp and appends the answer. Returns the HTTP status, or -1. */
int agent_remote_message(const struct agent_remote *remote, const struct agent_lines *lines,
                         const struct buf *message, struct buf *answer, struct err *err);
/* Uploads a file; `handle` becomes upload:ID. */
int agent_remote_upload(const struct agent_remote *remote, int fd, const char *name,
                        char handle[static 64], struct err *err);
/* Downloads an address of the server into a file. */
int agent_remote_download(const struct agent_remote *remote, const char *url, int fd,
                          struct err *err);
