/*
 * service: services that the server offers to tools: signatures with its key, and time stamps. The
 * key and the network stay there; the tool's process has neither.
 *
 * Only a tool that declares `asks` (declare/tool/tool.h) can use them. A job gets one chain, one
 * signature and two time stamps; one that asks for more is stopped.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct tool_run;

#define SERVICE_DIGEST     32    /* bytes of a SHA-256 digest */
#define SERVICE_ANSWER     65536 /* limit of an answer in bytes */
#define SERVICE_SIGNATURES 1
#define SERVICE_CHAINS     1
#define SERVICE_STAMPS     2

/* The signer's certificate and its chain in DER, one after the other. */
int tool_seal_chain(struct tool_run *run, struct buf *der_chain, struct err *err);
/* The server's signature of a SHA-256 digest: ECDSA over P-256, in DER (SEQUENCE of r and s; RFC
 * 3279, 2.2.3). */
int tool_seal_sign(struct tool_run *run, const unsigned char digest[static SERVICE_DIGEST],
                   struct buf *signature, struct err *err);
/* A TimeStampToken (RFC 3161, 2.4.2; a ContentInfo in DER) over a SHA-256 digest. Takes as long
 * as the authority does. ERR_UNSUPPORTED_CONTENT if there is no authority or it gave no token. */
int tool_timestamp(struct tool_run *run, const unsigned char digest[static SERVICE_DIGEST],
                   struct buf *token, struct err *err);

/*
 * The implementation of the services: in the server, or in the tool's process a client of the
 * server. Each function writes its answer to an empty buffer. Called from any thread, several at a
 * time. A slow timestamp gives up soon after *abandoned became true (NULL: never).
 */
struct tool_services {
    void *arg;
    int (*seal_chain)(void *arg, struct buf *der_chain, struct err *err);
    int (*seal_sign)(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                     struct buf *signature, struct err *err);
    int (*timestamp)(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                     const atomic_bool *abandoned, struct buf *token, struct err *err);
};
