/* reply: a filled response on its way to the client. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <gnutls/gnutls.h>
#include <microhttpd.h>

#include "http/response.h"

/* Bytes of the body; 0 of one that has a source. */
int64_t reply_length(const struct http_response *resp);

/* The response as libmicrohttpd takes it; it owns body and file afterwards. NULL without memory.
 * `read` is called with `cls` for the body of one that has a source. */
struct MHD_Response *reply_new(struct http_response *resp, MHD_ContentReaderCallback read,
                               void *cls);

/*
 * Writes the response to the socket, past libmicrohttpd, and ends our side of the connection.
 * libmicrohttpd takes an answer only before or after a request's body; this one can be read by a
 * client that is still sending. Not for files, nor for more than a socket's buffer takes.
 * `tls`: the connection's session, or NULL.
 */
void reply_now(int fd, gnutls_session_t tls, const struct http_response *resp, bool head);
