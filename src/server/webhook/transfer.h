/* transfer: one HTTP request sent by libcurl, within the rules for callbacks: a webhook is posted,
 * or a file is fetched or sent. */
#pragma once

#include <curl/curl.h>

#include "base/system/net.h"
#include "server/webhook/request.h"

/* The rules of all transfers. */
struct transfer_rules {
    bool http;               /* addresses with http: are allowed in addition to https: */
    int64_t timeout_ms;      /* of a whole request */
    struct net_list allowed; /* internal networks that callbacks may reach */
    struct buf ca;           /* certificates (PEM) of authorities; empty: the system's */
};

struct transfer;

/*
 * Prepares the request in a message, of which it takes ownership, also on failure. NULL if the
 * message is not a request or memory ran out; *ticket is then the request's, if it could be read.
 */
struct transfer *transfer_new(const struct transfer_rules *rules, struct message *message,
                              uint64_t *ticket);
void transfer_free(struct transfer *transfer);

/* The easy handle, for a multi handle; it has the transfer as CURLINFO_PRIVATE. */
CURL *transfer_easy(const struct transfer *transfer);
/* After libcurl ended the transfer of a file, in either direction, with a redirect: makes it a
 * request for the new address, which is checked as the first one was. 1: it is to be performed
 * again; 0: it has ended.
 */
int transfer_redirect(struct transfer *transfer);
/* Fills the response after libcurl ended the transfer with `done`. */
void transfer_result(const struct transfer *transfer, CURLcode done,
                     struct webhook_response *response);
