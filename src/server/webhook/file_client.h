/*
 * file_client: the server's side of a platen-webhook that fetches files, one at a time. The process
 * is started with the first file and kept for the next ones.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "sandbox/process/program.h"
#include "server/webhook/request.h"

struct file_client {
    const char *path; /* of the program; the caller owns it */
    struct program helper;
    uint64_t files;  /* peer_files_state when it was started */
    uint64_t serial; /* of the terms that it was started with */
    uint64_t ticket;
};

#define FILE_CLIENT(program_path)                                                                  \
    ((struct file_client){ .path = (program_path), .helper = PROGRAM_NONE })

/* Finds the program below a folder ("": that of this program). */
int file_client_path(const char *programs, char *out, size_t cap, struct err *err);
/* Asks for a file, which is written to `fd`. The process is started again if the terms have another
 * `serial`, or files that it uses have changed. ERR_INTERNAL: the process cannot be used, and was
 * ended. */
int file_client_ask(struct file_client *client, const struct webhook_terms *terms, uint64_t serial,
                    struct webhook_request *request, int fd, struct err *err);
/* Becomes readable when there is a response. */
int file_client_fd(const struct file_client *client);
/* 1: the response is here; 0: it is not yet. ERR_INTERNAL: the process has ended or answers what
 * was not asked. */
int file_client_receive(struct file_client *client, struct webhook_response *response,
                        struct err *err);
/* Ends the process, if there is one, and with it the request. */
void file_client_end(struct file_client *client);
