/* reply: converts a filled response for libmicrohttpd, or sends it past libmicrohttpd. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <gnutls/gnutls.h>
#include <microhttpd.h>

#include "server/http/response.h"

/* The length of the body in bytes; 0 if the body comes from a source. */
int64_t reply_length(const struct http_response *resp);

/* Makes libmicrohttpd's response, which owns body and file afterwards. NULL without memory. If
 * the body comes from a source, `read` is called with `arg` for it. */
struct MHD_Response *reply_new(struct http_response *resp, MHD_ContentReaderCallback read,
                               void *arg);

/*
 * Writes the response to the socket, past libmicrohttpd, and ends our side of the connection.
 * libmicrohttpd accepts a response only before or after a request's body; this one reaches a client
 * that is still sending. Not for files, nor for more than fits a socket's buffer. `tls`: the
 * connection's session, or NULL.
 */
void reply_now(int fd, gnutls_session_t tls, const struct http_response *resp, bool head);
