/*
 * notary_order: what the server has platen-notary do, as one message (worker/message.h). The answer
 * is one packet as in worker/ask.h.
 */
#pragma once

#include <stdint.h>

#include "worker/ask.h"
#include "worker/message.h"

/* What a seal and time stamps are made with; the texts are the configuration's. */
struct notary_settings {
    const char *data;                         /* folder of the server's own seal */
    const char *name;                         /* of that seal */
    const char *certificate, *password;       /* of an operator's; "": none */
    const char *timestamp_url, *timestamp_ca; /* "": none */
    int64_t timestamp_ms;
};

struct notary_order {
    struct ask ask;
    struct notary_settings settings; /* of one that was read: texts in the message */
};

/* `out` holds a secret then. */
int notary_order_pack(const struct notary_order *order, struct buf *out, struct err *err);
int notary_order_unpack(const struct message *message, struct notary_order *order, struct err *err);
