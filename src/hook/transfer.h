/* transfer: one order being carried out, by libcurl: what it may do, and how it ended. */
#pragma once

#include <curl/curl.h>

#include "base/net.h"
#include "hook/order.h"

/* What holds for all transfers. */
struct transfer_rules {
    bool http;
    int64_t timeout_ms;
    struct net_list allowed;
    struct buf ca; /* certificates of authorities (PEM); empty: the system's */
};

struct transfer;

/* Takes the message over, whatever comes of it. NULL if it is no order or memory is short; *ticket
 * is then that of the order, if it could be read. */
struct transfer *transfer_new(const struct transfer_rules *rules, struct message *message,
                              uint64_t *ticket);
void transfer_free(struct transfer *transfer);

/* For a multi handle; it holds the transfer as CURLINFO_PRIVATE. */
CURL *transfer_easy(const struct transfer *transfer);
/* After its end with `done`. */
void transfer_judge(const struct transfer *transfer, CURLcode done, struct order_answer *answer);
