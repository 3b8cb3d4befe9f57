/*
 * page_ask: a job's process asks the server for files of the page that it shows
 * (declare/tool_run/page_service.h), over a SOCK_SEQPACKET socket of this job alone. Several
 * requests may be in flight; a response comes in pieces, which those of others may be between. This
 * is the side of the process; the server's side is sandbox/worker/page_errand.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define PAGE_ASK_BYTES   32768U /* limit of a question */
#define PAGE_PIECE_BYTES 49152U /* limit of a piece of a response */

/* A question is this header, the address and the header lines, each text with a NUL. */
struct page_ask {
    uint32_t number;
    uint32_t head; /* 1: HEAD, 0: GET */
};

enum page_piece_kind { PAGE_PIECE_DATA, PAGE_PIECE_LAST, PAGE_PIECE_FAILED, PAGE_PIECE_KINDS };

/* A piece is this header and n bytes: a part of the response, or the reason why the request failed.
 * The last piece of a response has no bytes. */
struct page_piece {
    uint32_t number;
    uint32_t kind;
};

/* Sends a question. ERR_LIMIT_EXCEEDED if it is too long. */
int page_ask_send(int sock, const struct page_ask *ask, const char *url, const char *headers,
                  struct err *err);
/* Reads one piece from a socket that is readable; its bytes replace those in `data`. -1: the server
 * has ended the conversation. */
int page_ask_read(int sock, struct page_piece *piece, struct buf *data, struct err *err);
