/*
 * service: what a tool may ask of whoever runs it: the server's seal, and a time stamp. The key and
 * the network stay there; the tool's process has neither.
 *
 * Only a tool that declares `asks` (tool/tool.h) can. A job gets one chain, one signature and two
 * time stamps; what asks for more is stopped.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct tool_run;

#define SERVICE_DIGEST     32    /* bytes of a SHA-256 digest */
#define SERVICE_ANSWER     65536 /* bytes of the longest answer */
#define SERVICE_SIGNATURES 1
#define SERVICE_CHAINS     1
#define SERVICE_STAMPS     2

/* The certificates of the seal in DER, one after the other, the signer's first. */
int tool_seal_chain(struct tool_run *run, struct buf *der_chain, struct err *err);
/* The seal's signature of a SHA-256 digest: ECDSA over P-256, in DER (SEQUENCE of r and s; RFC
 * 3279, 2.2.3). */
int tool_seal_sign(struct tool_run *run, const unsigned char digest[static SERVICE_DIGEST],
                   struct buf *signature, struct err *err);
/* A TimeStampToken (RFC 3161, 2.4.2; a ContentInfo in DER) over a SHA-256 digest. Takes as long as
 * the authority does. ERR_UNSUPPORTED_CONTENT if there is none or it gave none. */
int tool_timestamp(struct tool_run *run, const unsigned char digest[static SERVICE_DIGEST],
                   struct buf *token, struct err *err);

/*
 * Who answers: the server, or in the tool's process what asks the server. Each puts its answer into
 * an empty buffer. Called from any thread, several at a time. A timestamp that takes long gives up
 * soon after *abandoned became true (NULL: never).
 */
struct tool_services {
    void *cls;
    int (*seal_chain)(void *cls, struct buf *der_chain, struct err *err);
    int (*seal_sign)(void *cls, const unsigned char digest[static SERVICE_DIGEST],
                     struct buf *signature, struct err *err);
    int (*timestamp)(void *cls, const unsigned char digest[static SERVICE_DIGEST],
                     const atomic_bool *abandoned, struct buf *token, struct err *err);
};
