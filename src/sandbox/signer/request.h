/*
 * request: a request of the server to platen-signer, as one message (sandbox/protocol/message.h).
 * The response is one packet as in sandbox/protocol/ask.h.
 */
#pragma once

#include <stdint.h>

#include "sandbox/protocol/ask.h"
#include "sandbox/protocol/message.h"

/* The settings that signatures and time stamps depend on. The strings belong to the
 * configuration. */
struct signer_settings {
    const char *data; /* folder of the installation's own key */
    const char *name; /* common name of its certificate */
    /* the operator's key file and its password; "": none */
    const char *certificate, *password;
    const char *timestamp_url, *timestamp_ca; /* "": none */
    int64_t timestamp_ms;
};

struct signer_request {
    struct ask ask;
    struct signer_settings settings; /* after unpacking, the strings point into the message */
};

/* Appends the bytes of a request to `out`, which then contains the password: erase it after use. */
int signer_request_pack(const struct signer_request *request, struct buf *out, struct err *err);
/* Reads a request from a message. ERR_INTERNAL for a malformed one. */
int signer_request_unpack(const struct message *message, struct signer_request *request,
                          struct err *err);
