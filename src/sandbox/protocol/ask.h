/*
 * ask: a job's process asks the server for a service (declare/tool_run/service.h): one packet for
 * the question and one for the answer, over a SOCK_SEQPACKET socket of this job alone. This is the
 * side of the process; the server's side, which trusts nothing, is sandbox/worker/errand.h.
 */
#pragma once

#include <stdint.h>

#include "declare/tool_run/service.h"

enum ask_kind { ASK_CHAIN = 1, ASK_SIGNATURE, ASK_TIMESTAMP, ASK_KINDS };

struct ask {
    uint32_t kind;
    unsigned char digest[SERVICE_DIGEST]; /* zeros for ASK_CHAIN */
};

/* An answer is this header and up to SERVICE_ANSWER bytes: what was asked for, or an error
 * message. */
struct ask_answer {
    uint32_t failed; /* an enum err_code if `is_error` */
    uint32_t is_error;
};

/* Services that ask over this socket; `arg` points to it. */
struct tool_services ask_services(const int *sock);
