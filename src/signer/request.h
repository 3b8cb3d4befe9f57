/*
 * request: what the server asks platen-signer for, as one message (worker/message.h). The answer is
 * one packet as worker/ask.h describes.
 */
#pragma once

#include <stdint.h>

#include "worker/ask.h"
#include "worker/message.h"

/* The settings that seals and time stamps depend on. The strings belong to the configuration. */
struct signer_settings {
    const char *data;                         /* folder of the server's own seal */
    const char *name;                         /* of that seal */
    const char *certificate, *password;       /* of an operator's; "": none */
    const char *timestamp_url, *timestamp_ca; /* "": none */
    int64_t timestamp_ms;
};

struct signer_request {
    struct ask ask;
    struct signer_settings settings; /* after unpacking, the strings point into the message */
};

/* `out` holds the password afterwards: erase it after use. */
int signer_request_pack(const struct signer_request *request, struct buf *out, struct err *err);
int signer_request_unpack(const struct message *message, struct signer_request *request,
                          struct err *err);
